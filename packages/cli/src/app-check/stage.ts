import { setTimeout as pause } from 'node:timers/promises'
import type { Grants, Manifest } from '@svc/contract'
import { createTestHost, type TestHost } from '@svc/testing'
import { type OpenedApp, openApp } from '@svc/testing/playwright'
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import type { AppStory } from './app-story.ts'
import { bounds } from './bounds.ts'
import { type Calls, openCalls } from './calls.ts'
import { type Complaints, watchComplaints } from './complaints.ts'
import { allGrants } from './grants.ts'
import { createHold, type Hold } from './hold.ts'
import { heldModels } from './models.ts'
import { noteTasks } from './page-state.ts'
import type { AppTools } from './plugins.ts'
import { waitFor } from './wait-for.ts'

/** How an app is opened. */
export interface StageOptions {
  /** What the user granted. Default: all that the manifest asks for. */
  readonly grants?: Grants
  /** Called before the app is loaded. */
  readonly prepare?: (parts: { readonly calls: Calls; readonly hold: Hold }) => void
  /** What is waited for. Default `connected`. */
  readonly until?: 'loaded' | 'connected'
  readonly viewport?: { readonly width: number; readonly height: number }
}

/** An app that is open in a browser, on a host of its own. */
export interface Stage {
  readonly page: Page
  readonly frame: Frame
  readonly window: OpenedApp['window']
  readonly host: TestHost
  readonly calls: Calls
  /** Holds its tools, models and storage. */
  readonly hold: Hold
  readonly complaints: Complaints
  /** How long it took to open, in ms. */
  readonly openedMs: number
  /** Whether the app has closed its window. */
  isClosed(): boolean
  /** Work that the host has in hand: calls without an answer and tools that have not returned. Jobs go on by themselves. */
  inHand(): Promise<string[]>
  close(): Promise<void>
}

/** What a stage is made of. */
export interface StageParts {
  readonly browser: Browser
  readonly manifest: Manifest
  readonly dir: string
  readonly story: AppStory
  readonly tools: AppTools
  readonly how: StageOptions
  /** Called with what closes it, also while it is being opened. */
  readonly onClose?: (close: () => Promise<void>) => void
}

/** How often the clock of the host follows that of the machine, in ms. */
const TICK_MS = 25

/** Opens the app. Errors: what `openApp` says of one that does not load. */
export async function openStage(parts: StageParts): Promise<Stage> {
  const { browser, manifest, story, tools, how } = parts
  const hold = createHold()
  const from = performance.now()
  const host = await createTestHost({
    manifest,
    tools: tools.toolsAt(hold),
    models: heldModels(story.models, hold),
    grants: how.grants ?? allGrants(manifest),
  })
  const stopClock = followMachine(host)

  let context: BrowserContext | undefined
  let closing: Promise<void> | undefined
  /** Twice is harmless; a browser that has ended has closed it. */
  const closeContext = async () => void (await context?.close().catch(() => undefined))
  async function end(): Promise<void> {
    hold.close()
    await closeContext()
    await stopClock()
    // What an app leaves open is judged where it matters; here the window is gone in the middle of anything.
    await host.close().catch(() => undefined)
  }
  const close = () => {
    closing ??= end()
    return closing
  }
  parts.onClose?.(close)
  try {
    context = await browser.newContext({ viewport: how.viewport ?? bounds.WINDOW })
    const page = await context.newPage()
    await page.addInitScript(noteTasks)
    const complaints = watchComplaints(page)
    const calls = await openCalls(page, hold)
    how.prepare?.({ calls, hold })
    const { frame, window } = await openApp(page, host, {
      dir: parts.dir,
      until: 'loaded',
      ...(story.view !== undefined && { view: story.view }),
      ...(story.payload !== undefined && { payload: story.payload }),
    })
    // A window that has closed itself was connected.
    const isConnected = async () => frame.isDetached() || (await window.evaluate((win) => win.connected))
    if (how.until !== 'loaded' && !(await waitFor(isConnected, bounds.START_MS)))
      throw new Error(
        `it did not connect within ${bounds.START_MS / 1_000} s: an app says hello with svc of @svc/sdk`,
      )
    return {
      page,
      frame,
      window,
      host,
      calls,
      hold,
      complaints,
      openedMs: Math.round(performance.now() - from),
      isClosed: () => frame.isDetached(),
      async inHand() {
        const { jobs } = await host.host.jobs.list(host.user, { state: ['queued', 'running'], limit: 100 })
        const busy = [...host.busy]
        for (const { method } of jobs) {
          const at = busy.findIndex((name) => name.endsWith(`.${method}`))
          if (at >= 0) busy.splice(at, 1)
        }
        return [...calls.open, ...busy]
      },
      close,
    }
  } catch (error) {
    await close()
    // It was closed before there was a context.
    await closeContext()
    throw error
  }
}

/** Lets the clock of the host go at the pace of the machine; returns how to stop. */
function followMachine(host: TestHost): () => Promise<void> {
  let isOver = false
  async function follow(): Promise<void> {
    for (let last = performance.now(); !isOver; ) {
      await pause(TICK_MS)
      const now = performance.now()
      await host.clock.advance(Math.round(now - last))
      last = now
    }
  }
  const following = follow()
  return async () => {
    isOver = true
    await following
  }
}
