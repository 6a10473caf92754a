import { HEARTBEAT_INTERVAL_MS } from '@svc/contract/browser'
import type { Clock } from './clock.ts'

/** What a heartbeat needs: the call, the clock, and the news that the document is shown again. */
export interface HeartbeatParts {
  readonly beat: () => Promise<unknown>
  readonly clock: Clock
  /** Calls back when the document becomes visible or its page thaws. */
  readonly onWake: (run: () => void) => void
}

/** Starts and stops with the channel. */
export interface Heartbeat {
  start(): void
  stop(): void
}

/**
 * Sends `window.heartbeat` every 10 s. A browser slows the timers of a hidden tab to one a
 * minute and stops those of a frozen one: that is often enough for a window to stay awake (stale after 5
 * minutes), and a document that is shown again beats at once when a beat is due.
 * One beat is under way at a time; a failed one is nobody's error.
 */
export function createHeartbeat({ beat, clock, onWake }: HeartbeatParts): Heartbeat {
  let running = false
  let beating = false
  let last = 0
  let timer: unknown

  function tick(): void {
    clock.clearTimeout(timer)
    if (!running) return
    timer = clock.setTimeout(tick, HEARTBEAT_INTERVAL_MS)
    if (beating) return
    beating = true
    last = clock.now()
    const done = () => {
      beating = false
    }
    beat().then(done, done)
  }

  onWake(() => {
    if (running && clock.now() - last >= HEARTBEAT_INTERVAL_MS) tick()
  })

  return {
    start() {
      if (running) return
      running = true
      last = clock.now()
      timer = clock.setTimeout(tick, HEARTBEAT_INTERVAL_MS)
    },
    stop() {
      running = false
      clock.clearTimeout(timer)
    },
  }
}
