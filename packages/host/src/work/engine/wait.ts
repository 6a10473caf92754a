import type { Clock } from '@svc/node'

/** Opens a wait that can be cut short; what woke it since the last wait counts. */
export function openWait(clock: Clock) {
  let isPoked = false
  let rouse = () => {}
  return {
    /** Waits for at most `ms`. */
    async wait(ms: number): Promise<void> {
      if (!isPoked)
        await new Promise<void>((resolve) => {
          const stopTimer = clock.setTimer(resolve, ms)
          rouse = () => {
            stopTimer()
            resolve()
          }
        })
      isPoked = false
    },
    wake(): void {
      isPoked = true
      rouse()
    },
  }
}
