import { FRAME_HELLO_MS, FRAME_LOAD_MS } from '@svc/contract/browser'
import type { MountOptions } from './bridge.ts'
import { failure } from './bridge-error.ts'
import type { Clock } from './clock.ts'
import type { Seen } from './diagnose.ts'

/** Where a window goes, how long its document is waited for, and whether it stays when the page goes: `true` unless given. */
export type Mount = MountOptions & { readonly keep?: boolean }

/** What the watch over a frame needs. */
export interface FrameParts {
  /** The address of the document. */
  readonly entry: string
  readonly mount: Mount
  /** What is left of that time, in ms. */
  readonly leftMs: number
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** The wait for the first document of a frame. */
export interface FrameWatch {
  /** Resolves when a document of the app is in the frame. @throws BridgeError `load_failed`, with why none came. */
  readonly arrived: Promise<void>
  /** A document of the app begins. */
  begin(): void
  /** A document said hello, or nobody waits for one any more. */
  arrive(): void
  /** There is no window around the frame: nothing comes. */
  gone(): void
}

/**
 * Waits for the document of a frame (docs/decisions/0052-a-frame-without-its-app.md). A browser fires `load` for its
 * own error page too, so what tells is the document, which says so as it begins. Where it has not a second after
 * anything came, the page looks for the reason. Begins before the iframe is put into the page; ends, with its reason,
 * when the window leaves.
 */
export function watchFrame(
  page: Document,
  iframe: HTMLIFrameElement,
  { entry, mount, leftMs, clock, onError }: FrameParts,
  left: AbortSignal,
): FrameWatch {
  const { until, timeoutMs = FRAME_LOAD_MS, signal = left } = mount
  const over = new AbortController()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const [url = entry] = entry.split('#')
  const seen: Seen = {
    page,
    entry: url,
    // Without the ticket, which opens the document.
    url: url.replace(/(\/bundles\/\w*)~[^/?]*/, '$1').replace(/\?.*/, ''),
    sinceMs: page.defaultView?.performance.now() ?? 0,
    came: false,
    isRefused: false,
    hasBegun: false,
    over: over.signal,
    later: (run, ms) => timers.push(clock.setTimeout(run, ms)),
    fail(reason, why, more) {
      if (over.signal.aborted) return
      const details = { reason, url: seen.url, hint: HINT, ...more }
      const error = failure('load_failed', `the document of the app ${why}`, details)
      onError(error)
      reject(error)
    },
  }
  const timers: unknown[] = []
  /** Where the part for that does not come, the time runs out. */
  const search = () => import('./diagnose.ts').then((part) => part.search(seen)).catch(() => undefined)
  /** Something came whole, perhaps an error page of the browser. */
  function doubt(): void {
    if (!seen.came) seen.later(search, FRAME_HELLO_MS)
    seen.came = true
  }
  seen.later(search, 2 * FRAME_HELLO_MS)
  seen.later(() => seen.fail('timeout', `showed no app within ${timeoutMs} ms`), leftMs)
  iframe.addEventListener('load', doubt, over)
  page.addEventListener(
    'securitypolicyviolation',
    ({ blockedURI, disposition, effectiveDirective }) => {
      // Of another origin no more is told.
      if (disposition !== 'enforce' || !blockedURI || !url.startsWith(blockedURI)) return
      if (!/^(frame|child|default)-src/.test(effectiveDirective)) return
      seen.isRefused = true
      doubt()
    },
    over,
  )
  for (const given of [left, signal]) given.addEventListener('abort', () => reject(given.reason), over)
  const arrived = promise.finally(() => {
    over.abort()
    timers.map(clock.clearTimeout)
  })
  return {
    arrived,
    begin() {
      seen.hasBegun = true
      if (until !== 'connected') resolve()
      else doubt()
    },
    arrive: resolve,
    gone: () =>
      seen.fail('closed', 'has no window around its frame', { hint: 'Its popup was closed: open it again.' }),
  }
}

const HINT = 'See what answers at details.url, and the console of the page.'
