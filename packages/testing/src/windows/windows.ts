import type { Bridge, SvcWindow } from '@svc/bridge'
import { openBridge } from '@svc/bridge/testing'
import { didYouMean, type Manifest, viewOf } from '@svc/contract'
import type { Svc } from '@svc/sdk'
import { TestHostError } from '../errors/test-host-error.ts'
import { type Network, ORIGIN } from '../network/network.ts'
import type { Activity } from '../time/activity.ts'
import type { Clocks } from '../time/test-clock.ts'
import { openTestDocument, type TestDocument } from './test-document.ts'
import { createTestPage } from './test-page.ts'

/** What `openWindow` takes; all may be left out. */
export interface WindowOptions {
  /** The name of a view in the manifest. Default: the default view. */
  readonly view?: string
  /** Any JSON value: the app reads it as `entry_payload` of its hello. */
  readonly payload?: unknown
  /**
   * Makes the global object of the test the document in this window: `globalThis`, in Node or in happy-dom. From then on
   * `svc` that modules import from `@svc/sdk` belongs to this window, until it is closed. One window at a time can have
   * it; open it before the app first uses `svc`.
   *
   * @example
   * ```ts
   * document.body.innerHTML = '<ul id="list"></ul>'
   * await host.openWindow({ document: globalThis })
   * await import('../src/main.ts')
   * ```
   */
  readonly document?: typeof globalThis
}

/** A window of the app, with the client of the document in it. */
export interface TestWindow {
  /** The client of this window alone: what the app gets from `@svc/sdk`. */
  readonly svc: Svc
  /** The window as its page has it: its title, its size, `on('closed', …)`, `setContext`, `close`. */
  readonly window: SvcWindow
  /** Closes the window without asking the app. */
  close(): Promise<void>
  /**
   * Loads the app anew, as a reload of its document does: `svc` is the client of the new document from then on. Where the
   * document is that of the test, import the app's modules again, after `vi.resetModules()`. @throws TestHostError where
   * the window is closed.
   */
  reload(): void
}

/** What windows work with. */
export interface WindowParts {
  readonly clocks: Clocks
  readonly activity: Activity
  readonly network: Network
  readonly manifest: Manifest
  readonly appId: string
}

/** Opens the page of a test host, with its bridge. */
export function openWindows({ clocks, activity, network, manifest, appId }: WindowParts) {
  // Of a browser; the SDK calls it with what a listener of the app throws.
  globalThis.reportError ??= throwLater
  const page = createTestPage(ORIGIN)
  const bridge: Bridge = openBridge(page.window, {
    baseUrl: ORIGIN,
    // The bridge uses no other form of it.
    fetch: network.ask as typeof fetch,
    clock: clocks.page,
    // Pauses between tries are as long as they may be, each time.
    random: () => 1,
    onError: throwLater,
  })
  const documents = new Set<TestDocument>()
  let opening = 0

  async function mount(view: string | undefined, payload: unknown): Promise<SvcWindow> {
    opening++
    try {
      return await bridge.mountWindow({
        into: { append() {}, ownerDocument: page.window.document } as unknown as Element,
        appId,
        ...(view !== undefined && { view }),
        ...(payload !== undefined && { payload }),
      })
    } finally {
      opening--
    }
  }

  return {
    bridge,
    /** Calls of all documents that have no answer yet. */
    get openCalls(): readonly string[] {
      return [...documents].flatMap(({ openCalls }) => openCalls)
    },
    /** How many windows have no record at the host yet. */
    get opening(): number {
      return opening
    },
    async open({ view, payload, document: global }: WindowOptions = {}): Promise<TestWindow> {
      checkView(manifest, view)
      const window = await mount(view, payload)
      const frame = page.frameOf(window.iframe)
      const load = () => {
        const document = openTestDocument({
          post: (data, ports) => page.post({ source: frame.source, data, ports }),
          clocks,
          activity,
          global,
        })
        documents.add(document)
        return document
      }
      const leave = () => {
        document.end()
        documents.delete(document)
      }
      let document: TestDocument
      try {
        document = load()
      } catch (error) {
        await window.close('', { force: true })
        throw error
      }
      frame.enter(leave)
      await activity.settled()
      return {
        get svc() {
          return document.svc
        },
        window,
        async close() {
          await window.close('', { force: true })
        },
        reload() {
          if (!window.iframe.isConnected)
            throw new TestHostError(
              'reload() came after the window was closed',
              'Open another with host.openWindow().',
            )
          leave()
          document = load()
        },
      }
    },
    /** Takes the page away, with all that is on it. */
    close: () => bridge.dispose(),
  }
}

function checkView(manifest: Manifest, view: string | undefined): void {
  if (viewOf(manifest, view)) return
  const names = manifest.ui.views.map(({ name }) => name)
  throw new TestHostError(
    `the manifest has no view ${JSON.stringify(view)}${didYouMean(view ?? '', names)}`,
    `It has: ${names.join(', ')}.`,
  )
}

/** An error that no caller can hear of is an uncaught one, as in a browser. */
function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}

/** See `openWindows`. */
export type Windows = ReturnType<typeof openWindows>
