import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import { inTime } from '../../kernel/in-time.ts'
import type { DescribeWait } from './plugins.ts'

/**
 * Opens what has plugins asked again for their tools where a call names one that they do not have: once in
 * `DESCRIBE_AGAIN_MS` for each plugin, whoever calls and by whatever names. `ask` never rejects.
 */
export function openAskAgain(
  { clock, limits }: { readonly clock: Clock; readonly limits: Pick<Limits, 'DESCRIBE_AGAIN_MS'> },
  ask: (toolId: string) => Promise<void>,
) {
  const last = new Map<string, { readonly at: number; readonly asked: Promise<void> }>()
  return {
    /** Asks, or waits for what is being asked, as long as `patience` lasts. */
    async ask(toolId: string, { deadlineMs, signal }: DescribeWait): Promise<void> {
      const before = last.get(toolId)
      const isDue = !before || clock.now() - before.at >= limits.DESCRIBE_AGAIN_MS
      const asked = isDue ? ask(toolId) : before.asked
      if (isDue) last.set(toolId, { at: clock.now(), asked })
      const late = () => new Error('it is still being asked')
      await inTime(() => asked, { clock, ms: deadlineMs - clock.now(), signal, late }).catch(() => {})
    },
    forget: (toolId: string): void => void last.delete(toolId),
  }
}
