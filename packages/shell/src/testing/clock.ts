import { START } from './job.ts'

/** A clock that stands still until a test moves it. */
export interface StillClock {
  readonly now: () => number
  readonly later: (work: () => void, ms: number) => void
  /** Moves on by so many ms: what falls due is done, in order, and what it leads to at once. */
  pass(ms: number): Promise<void>
}

/** Makes one. */
export function stillClock(): StillClock {
  let now = START
  let waiting: { readonly at: number; readonly work: () => void }[] = []
  const next = (until: number) => waiting.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
  return {
    now: () => now,
    later: (work, ms) => void waiting.push({ at: now + ms, work }),
    async pass(ms) {
      const until = now + ms
      await settled()
      for (let due = next(until); due; due = next(until)) {
        const { at, work } = due
        waiting = waiting.filter((one) => one !== due)
        now = Math.max(now, at)
        work()
        await settled()
      }
      now = until
    },
  }
}

/** After everything that waits for nothing but promises. */
const settled = () => new Promise<void>((done) => setImmediate(done))
