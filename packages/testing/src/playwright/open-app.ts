import type { SvcWindow } from '@svc/bridge'
import { readAppFolder } from '@svc/host/testing'
import type { Frame, JSHandle, Page } from 'playwright-core'
import { TestHostError } from '../errors/test-host-error.ts'
import type { TestHost } from '../host/create-test-host.ts'

/** Where the app is, and how its window is opened. */
export interface OpenAppOptions {
  /** The folder of the built app, with its `manifest.json`. */
  readonly dir?: string
  /**
   * The address of the app at a development server, such as `http://localhost:5173/`. A sandboxed document has no origin,
   * so the server must let every origin in (`server.cors: true` of Vite).
   */
  readonly url?: string
  /** The name of a view in the manifest. Default: the default view. */
  readonly view?: string
  /** Any JSON value: the app reads it as `entry_payload` of its hello. */
  readonly payload?: unknown
  /**
   * What is waited for: `loaded`, the document is in its frame; `connected`, the app has also used the SDK. Default
   * `connected`.
   */
  readonly until?: 'loaded' | 'connected'
  /**
   * Whose time the browser goes by: `real`, its own; `frozen`, that of `host.clock`, which moves the timers of page and app
   * too. Default `real`: then `host.clock` moves the host, its tools and its models alone.
   */
  readonly clock?: 'real' | 'frozen'
}

/** An app in a browser. */
export interface OpenedApp {
  /** The frame that the app runs in: `frame.getByRole('button')`. */
  readonly frame: Frame
  /** The window as its page has it: `window.evaluate((win) => win.title)`. */
  readonly window: JSHandle<SvcWindow>
  /** Closes the window without asking the app. */
  close(): Promise<void>
}

/** The longest that a browser takes between two commands, in ms. */
const PAUSE_WITHIN_MS = 3_600_000

/** What the script of the page has for tests. */
interface PageApi {
  mount(options: object): Promise<{ win: SvcWindow; iframe: HTMLIFrameElement }>
}

/**
 * Opens the app in a real, sandboxed iframe of a page that the host serves, and returns its frame. The host is the one
 * of `createTestHost`, with its tools, its models and its faults; from the first call on it listens on loopback, until
 * `host.close()`. Several apps may be opened, each in a page of its own.
 *
 * @throws TestHostError where neither a folder nor an address is given, or both. BridgeError `load_failed` where the app
 *   does not load.
 * @example
 * ```ts
 * const host = await createTestHost({ manifest, tools })
 * const { frame } = await openApp(page, host, { dir: 'dist' })
 * await frame.getByLabel('Choose a file').setInputFiles('rides.csv')
 * ```
 */
export async function openApp(page: Page, host: TestHost, options: OpenAppOptions): Promise<OpenedApp> {
  const { dir, url, view, payload, until = 'connected', clock = 'real' } = options
  if ((dir === undefined) === (url === undefined))
    throw new TestHostError(
      `openApp takes the folder of a built app or the address of a development server, got ${dir === undefined ? 'neither' : 'both'}`,
      "Write openApp(page, host, { dir: 'dist' }) or openApp(page, host, { url: 'http://localhost:5173/' }).",
    )
  if (dir !== undefined) await host.host.apps.pushDraft(host.user, host.appId, await readAppFolder(dir))
  const listening = await host.listen(url)
  if (clock === 'frozen') {
    // It runs until it is paused, and is never set back.
    await page.clock.install({ time: host.clock.now() - PAUSE_WITHIN_MS })
    await page.clock.pauseAt(host.clock.now())
    const stop = host.clock.follow((ms) => page.clock.runFor(ms))
    page.once('close', stop)
  }
  await page.goto(listening.url)
  await page.waitForFunction(() => 'svcTest' in globalThis)
  const mounted = await page.evaluateHandle(
    (given) => (globalThis as unknown as { svcTest: PageApi }).svcTest.mount(given),
    {
      appId: host.appId,
      until,
      ...(url !== undefined && { url }),
      ...(view !== undefined && { view }),
      ...(payload !== undefined && { payload }),
    },
  )
  const window = await mounted.getProperty('win')
  const iframe = (await mounted.getProperty('iframe')).asElement()
  const frame = await iframe?.contentFrame()
  if (!frame) throw new Error('the app closed its window as soon as it was open')
  return {
    frame,
    window: window as JSHandle<SvcWindow>,
    close: async () => void (await window.evaluate((win: SvcWindow) => win.close('', { force: true }))),
  }
}
