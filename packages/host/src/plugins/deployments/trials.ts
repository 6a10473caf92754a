import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import type { Patience } from './plugins.ts'

/** What is tried, each thing under a key, and again where it failed. */
export interface Trials {
  /** Begins to try what is not being tried. */
  start(key: string): void
  /** Begins again where the last try failed at least `DESCRIBE_RETRY_MS` ago. */
  retry(key: string): void
  /** Begins again where it is due: after each failure in a row twice as late, up to `DESCRIBE_RETRY_MAX_MS`. */
  sweep(): void
  /** Waits for a try that is under way, as long as `patience` lasts. */
  settled(key: string, patience?: Patience): Promise<void>
  /** Knows nothing of it any more; what is under way ends unheard. */
  forget(key: string): void
}

/** What trying needs; `attempt` says whether it worked, and never rejects. */
export interface TrialDeps {
  readonly clock: Clock
  readonly limits: Pick<Limits, 'DESCRIBE_RETRY_MS' | 'DESCRIBE_RETRY_MAX_MS'>
  readonly attempt: (key: string) => Promise<boolean>
}

/** Opens trials. They keep no timer but those of calls that wait. */
export function openTrials({ clock, limits, attempt }: TrialDeps): Trials {
  const running = new Map<string, Promise<void>>()
  const failed = new Map<string, { readonly at: number; readonly times: number }>()

  function start(key: string) {
    if (running.has(key)) return
    const trying = attempt(key).then((worked) => {
      // Forgotten meanwhile, or begun anew after that: then this one is not heard.
      if (running.get(key) !== trying) return
      running.delete(key)
      if (worked) failed.delete(key)
      else failed.set(key, { at: clock.now(), times: (failed.get(key)?.times ?? 0) + 1 })
    })
    running.set(key, trying)
  }

  return {
    start,
    retry(key) {
      const last = failed.get(key)
      if (last && clock.now() - last.at >= limits.DESCRIBE_RETRY_MS) start(key)
    },
    sweep() {
      for (const [key, { at, times }] of failed) {
        const pause = Math.min(limits.DESCRIBE_RETRY_MS * 2 ** (times - 1), limits.DESCRIBE_RETRY_MAX_MS)
        if (clock.now() - at >= pause) start(key)
      }
    },
    async settled(key, patience) {
      const trying = running.get(key)
      if (!trying || !patience) return trying
      const { deadlineMs, signal } = patience
      let stop = () => {}
      const over = new Promise<void>((resolve) => {
        const stopTimer = clock.setTimer(resolve, deadlineMs - clock.now())
        const leave = () => resolve()
        signal.addEventListener('abort', leave, { once: true })
        if (signal.aborted) resolve()
        stop = () => {
          stopTimer()
          signal.removeEventListener('abort', leave)
        }
      })
      await Promise.race([trying, over])
      stop()
    },
    forget(key) {
      running.delete(key)
      failed.delete(key)
    },
  }
}
