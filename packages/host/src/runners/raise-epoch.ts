import type { LinkMachine } from '@svc/contract/link-wire'
import type { RunnerParts } from './parts.ts'
import { type RunnerRecord, type RunnerRow, runners } from './runner-row.ts'

/** Writes down that a machine connected: of two links each has an epoch of its own. `null`: it was revoked. */
export function raiseEpoch(
  parts: RunnerParts,
  runnerId: string,
  machine: LinkMachine,
): Promise<RunnerRecord | null> {
  return change(parts, runnerId, (row) => ({
    ...row,
    ...{ machine, epoch: row.epoch + 1, last_seen_at: parts.clock.now() },
  }))
}

/** Writes down that a link was seen. `null`: its machine was revoked, or linked anew. */
export function seen(parts: RunnerParts, runnerId: string, epoch: number): Promise<RunnerRecord | null> {
  return change(parts, runnerId, (row) =>
    row.epoch === epoch ? { ...row, last_seen_at: parts.clock.now() } : null,
  )
}

async function change(
  { store }: RunnerParts,
  runnerId: string,
  next: (row: Readonly<RunnerRow>) => RunnerRow | null,
): Promise<RunnerRecord | null> {
  for (;;) {
    const record = await store.get(runners, runnerId)
    const row = record && next(record.row)
    if (!record || !row) return null
    const swapped = await store.swap(runners, runnerId, record.revision, row)
    if (swapped.ok) return swapped.record
  }
}
