import type { StoreRecord } from '@svc/state'
import type { WorkServices } from '../services.ts'
import { withoutThrowing } from './best-effort.ts'

/** How the work of one kind is recovered whose host is gone. */
export interface Recovery<Row> {
  readonly kind: 'job' | 'run'
  /** The records whose host is gone, in groups that are seen to one after the other. */
  readonly lost: AsyncIterable<readonly StoreRecord<Row>[]>
  /** What is done with them; each step with all of a group before the next. */
  readonly steps: readonly ((record: StoreRecord<Row>) => Promise<unknown>)[]
}

/** Recovers the work of hosts that are gone. What fails is tried again by the next sweep, and delays nothing else. */
export async function recoverOrphans<Row>(
  services: Pick<WorkServices, 'log'>,
  { kind, lost, steps }: Recovery<Row>,
): Promise<void> {
  for await (const group of lost)
    for (const step of steps)
      for (const record of group) await withoutThrowing(services, kind, record.id, () => step(record))
}
