import { FRAME_HELLO_MS, FRAME_LOAD_MS } from '@svc/contract/browser'
import type { MountOptions } from './bridge.ts'
import { failure } from './bridge-error.ts'
import type { Clock } from './clock.ts'

/** What the watch over a frame needs. */
export interface FrameParts {
  /** The address of the document. */
  readonly entry: string
  /** How long the document is waited for, and for what; and whether the window stays when the page goes: `true` unless given. */
  readonly mount: MountOptions & { readonly keep?: boolean }
  /** What is left of that time, in ms. */
  readonly leftMs: number
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** The wait for the first document of a frame. */
export interface FrameWatch {
  /** Resolves when a document of the app is in the frame. @throws BridgeError `load_failed`, with why none came. */
  readonly arrived: Promise<void>
  /** A document said hello, or nobody waits for one any more. */
  arrive(): void
}

/**
 * Waits for the document of a frame (docs/decisions/0052-a-frame-without-its-app.md). A browser fires `load` for its
 * own error page too, so what tells is a hello, or the browser's timing of the entry, which has a status or a size only
 * where a document came. Begins before the iframe is put into the page; ends, with its reason, when the window leaves.
 */
export function watchFrame(
  page: Document,
  { entry, mount, leftMs, clock, onError }: FrameParts,
  left: AbortSignal,
): FrameWatch {
  const { until, timeoutMs = FRAME_LOAD_MS, signal = left } = mount
  const [url = entry] = entry.split('#')
  /** Without the ticket, which opens the document. */
  const plain = url.replace(/~[^/?]*|[?].*/g, '')
  const timers: unknown[] = []
  const over = new AbortController()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let blocked = false
  function fail(reason: string, why: string): void {
    const error = failure('load_failed', `the document of the app ${why}`, { reason, url: plain, hint: HINT })
    onError(error)
    reject(error)
  }
  const wait = (ms: number, inMs = ms) =>
    timers.push(
      clock.setTimeout(() => {
        if (blocked) fail('csp', 'is not in the frame-src of the page')
        else fail('blocked', `showed no app within ${ms} ms`)
      }, inMs),
    )
  const timings = new PerformanceObserver((list) => {
    for (const timing of list.getEntriesByName(url) as PerformanceResourceTiming[]) {
      const { responseStatus: status } = timing
      if (status >= 400) fail('http', `answered HTTP ${status}`)
      // The status of another origin is hidden; that there was a body is not, where the host allows it.
      else if (!status && !timing.decodedBodySize) wait(blocked ? 0 : FRAME_HELLO_MS)
      else if (until !== 'connected') resolve()
    }
  })
  timings.observe({ type: 'resource' })
  wait(timeoutMs, leftMs)
  page.addEventListener(
    'securitypolicyviolation',
    ({ blockedURI, disposition }) => {
      // Of another origin no more is told; the timing of the entry says whether it was this frame.
      blocked ||= disposition === 'enforce' && !!blockedURI && url.startsWith(blockedURI)
    },
    over,
  )
  for (const given of [left, signal]) given.addEventListener('abort', () => reject(given.reason), over)
  const arrived = promise.finally(() => {
    over.abort()
    timings.disconnect()
    timers.map(clock.clearTimeout)
  })
  return { arrived, arrive: resolve }
}

const HINT = "Check the page's frame-src, and the host's basePath and origins."
