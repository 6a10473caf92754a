import { type Limits, refuse } from '@svc/contract'
import type { Clock } from '@svc/node'
import { inTime } from '../../kernel/in-time.ts'
import type { DescribeWait } from './plugins.ts'

/**
 * Opens retries: work under a key, which is tried again after a failure. `attempt` says whether it worked, and never
 * rejects. They keep no timer but those of calls that wait.
 */
export function openRetries(
  {
    clock,
    limits,
  }: {
    readonly clock: Clock
    readonly limits: Pick<Limits, 'DESCRIBE_RETRY_MS' | 'DESCRIBE_RETRY_MAX_MS'>
  },
  attempt: (key: string) => Promise<boolean>,
) {
  const running = new Map<string, Promise<void>>()
  const failed = new Map<string, { readonly at: number; readonly times: number }>()

  /** Begins to try what is not being tried. */
  function start(key: string): void {
    if (running.has(key)) return
    const trying = attempt(key).then((worked) => {
      // Forgotten meanwhile, or begun again after that: then this result is ignored.
      if (running.get(key) !== trying) return
      running.delete(key)
      if (worked) failed.delete(key)
      else failed.set(key, { at: clock.now(), times: (failed.get(key)?.times ?? 0) + 1 })
    })
    running.set(key, trying)
  }

  return {
    start,
    /** Begins again where the last try failed at least `DESCRIBE_RETRY_MS` ago. */
    retry(key: string): void {
      const last = failed.get(key)
      if (last && clock.now() - last.at >= limits.DESCRIBE_RETRY_MS) start(key)
    },
    /** Begins again where it is due: after each failure in a row twice as late, up to `DESCRIBE_RETRY_MAX_MS`. */
    sweep(): void {
      for (const [key, { at, times }] of failed) {
        const pause = Math.min(limits.DESCRIBE_RETRY_MS * 2 ** (times - 1), limits.DESCRIBE_RETRY_MAX_MS)
        if (clock.now() - at >= pause) start(key)
      }
    },
    /** Waits for a try that is under way, as long as `patience` lasts. Errors: `cancelled` where nobody waits any more. */
    async settled(key: string, patience?: DescribeWait): Promise<void> {
      const trying = running.get(key)
      if (!trying || !patience) return trying
      const { deadlineMs, signal } = patience
      const late = () => new Error('it is still being tried')
      await inTime(() => trying, { clock, ms: deadlineMs - clock.now(), signal, late }).catch(() => {})
      if (signal.aborted) throw refuse('cancelled')
    },
    /** Knows nothing of it any more; the result of what is under way is ignored. */
    forget(key: string): void {
      running.delete(key)
      failed.delete(key)
    },
  }
}
