import { vi } from 'vitest'
import { START } from './job.ts'

/** A clock that stands still until a test moves it. */
export interface StillClock {
  readonly now: () => number
  readonly later: (work: () => void, ms: number) => void
  /** Moves on by so many ms: what falls due is done, in order, and what it leads to at once. */
  pass(ms: number): Promise<void>
  /** Lets the time of the machine go on. */
  release(): void
}

/** Stops the time of timers and dates. */
export function stillClock(): StillClock {
  vi.useFakeTimers({
    now: START,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  })
  return {
    now: () => Date.now(),
    later: (work, ms) => void setTimeout(work, ms),
    async pass(ms) {
      await settled()
      await vi.advanceTimersByTimeAsync(ms)
      await settled()
    },
    release: () => void vi.useRealTimers(),
  }
}

/** Everything that waits for nothing but promises is over. */
export const settled = () => new Promise<void>((done) => setImmediate(done))
