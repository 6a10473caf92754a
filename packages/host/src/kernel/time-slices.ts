/**
 * Tells pieces of work when to begin: at once, until one turn of the event loop has taken `maxMs`. What comes then begins
 * in the next turns, in its order, so that sockets and timers are served in between. What a piece does before it first
 * waits for something outside counts as its own. `now` is a clock in ms.
 */
export function openTimeSlices(maxMs: number, now: () => number = () => performance.now()) {
  const waiting: (() => void)[] = []
  /** When the first piece of this turn began; null where there was none yet. */
  let begun: number | null = null

  const isOver = () => begun !== null && now() - begun >= maxMs

  function begin(): void {
    begun = now()
    setImmediate(() => {
      begun = null
      if (waiting.length === 0) return
      begin()
      beginNext()
    })
  }

  function beginNext(): void {
    waiting[0]?.()
    queueMicrotask(() => {
      // It has begun, and nobody before it.
      waiting.shift()
      // A tick that a microtask asks for comes when no microtask is left.
      if (waiting.length > 0) process.nextTick(() => isOver() || beginNext())
    })
  }

  return {
    /** `null` to who may begin now, and has to; else a promise that is kept in the turn of who asked. */
    wait(): Promise<void> | null {
      if (begun === null) begin()
      if (waiting.length === 0 && !isOver()) return null
      return new Promise((resolve) => void waiting.push(resolve))
    },
  }
}
