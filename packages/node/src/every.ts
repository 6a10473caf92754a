import type { Clock } from './clock.ts'

/** Calls `fn` every `ms` milliseconds until the function that it returns is called. */
export function every(ms: number, clock: Clock, fn: () => void): () => void {
  let stop = clock.setTimer(beat, ms)
  function beat() {
    stop = clock.setTimer(beat, ms)
    fn()
  }
  return () => stop()
}
