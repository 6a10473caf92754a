import type { Clock } from '@svc/node'

const LONGEST_MS = 2 ** 31 - 1

interface Timer {
  readonly at: number
  readonly fn: () => void
  readonly real: NodeJS.Timeout
}

/**
 * A clock for the config file of a process: it shows the first of these moments (Unix ms), goes as that of the machine,
 * and jumps to the next one with each SIGUSR2. What falls due on the way is called then; after that `jump N` is printed.
 */
export function jumpingClock([start = 0, ...moments]: readonly number[]): Clock {
  let ahead = start - Date.now()
  let jumps = 0
  const timers = new Set<Timer>()
  const now = () => Date.now() + ahead

  function fire(timer: Timer): void {
    if (!timers.delete(timer)) return
    clearTimeout(timer.real)
    timer.fn()
  }
  process.on('SIGUSR2', () => {
    const next = moments[jumps]
    if (next === undefined) throw new Error('the clock has no further moment')
    ahead = next - Date.now()
    jumps += 1
    for (const timer of [...timers].sort((a, b) => a.at - b.at)) if (timer.at <= next) fire(timer)
    console.log(`jump ${jumps}`)
  })
  return {
    now,
    setTimer(fn, ms) {
      const real = setTimeout(() => fire(timer), Math.min(ms, LONGEST_MS)).unref()
      const timer: Timer = { at: now() + ms, fn, real }
      timers.add(timer)
      return () => {
        clearTimeout(real)
        timers.delete(timer)
      }
    },
  }
}
