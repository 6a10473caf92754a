import { errorRow, type RunState } from '@svc/contract'
import { all } from '@svc/state'
import { frameJournal, type RunRecord, type RunRow, runs } from '../../catalog/run-row.ts'
import { isEnd } from '../../events/view.ts'
import { recoverOrphans } from '../engine/orphans.ts'
import { writeEnd } from '../engine/retention.ts'
import { type Chunks, frameText, openChunks } from './chunks.ts'
import { type Ending, finish, orphaned } from './ending.ts'
import { retention } from './retention.ts'
import type { RunParts } from './runs.ts'

/** What the last frames are made of. */
type Last = (row: RunRow, chunks: Chunks, ending: Ending | null) => string[]

const errorFrame: Last = ({ error_code }, _chunks, ending) => {
  const code = error_code ?? 'internal_error'
  // Why is known to the host that ended it alone, and so is whether that has logged it.
  const sentence = code === 'internal_error' ? 'the run failed on another host' : errorRow(code).sentence
  const { message = sentence, details } = ending ?? {}
  return [frameText({ event: 'error', errorCode: code, message, ...(details && { details }) })]
}

const last: Readonly<Record<RunState, Last>> = {
  queued: () => [],
  running: () => [],
  // Who ended it may be gone before it could tell what the run took.
  finished: (_row, chunks, ending) => (ending?.complete ? [chunks.complete(ending.complete)] : []),
  failed: errorFrame,
  cancelled: (row, chunks, ending) =>
    row.error_code === null ? [chunks.cancelled()] : errorFrame(row, chunks, ending),
}

/** The last frames of a run that has ended: how, and `end`. `ending` is that of the one who ended it, where it is known. */
export const lastFrames = (row: RunRow, chunks: Chunks, ending: Ending | null): string[] => [
  ...last[row.state](row, chunks, ending),
  frameText({ event: 'end', run_id: row.run_id }),
]

/** Writes the last frames into the journal of a run whose host is gone, behind whatever that one wrote. */
export async function closeStream({ bus }: RunParts, row: RunRow, ending: Ending | null): Promise<void> {
  const journal = frameJournal(row.stream_id)
  const frames = lastFrames(row, openChunks(row.run_id, row.model, row.created_at), ending)
  for (;;) {
    const { tail } = await bus.journal.read(journal, 0, { limit: 0 })
    const { items } = await bus.journal.read(journal, Math.max(0, tail - 1), { limit: 1 })
    if (items.some(({ item }) => isEnd(item))) return
    if ((await bus.journal.append(journal, tail + 1, frames)).ok) return
  }
}

/** Stores that the `end` of a run is in its journal. */
export async function markClosed(parts: RunParts, id: string): Promise<void> {
  const { clock, limits, store } = parts
  for (;;) {
    const record = await store.get(runs, id)
    if (!record || record.row.stream_closed) return
    const row = { ...record.row, stream_closed: true, frames_until: clock.now() + limits.STREAM_RETAIN_MS }
    if (await writeEnd(parts, retention, record, row)) return
  }
}

/**
 * Ends the runs that nobody does any more: those of hosts that are gone, and those of this one that it released because
 * they could not be written. A run is never done twice, so each of them fails, or ends as its row has it.
 */
export const recoverRuns = (parts: RunParts): Promise<void> =>
  recoverOrphans(parts, { kind: 'run', lost: lostRuns(parts), steps: [(record) => endLost(parts, record)] })

async function* lostRuns({ activeRuns, hosts, store }: RunParts): AsyncGenerator<readonly RunRecord[]> {
  const open = await all(store, runs, 'openByOwner')
  if (open.length === 0) return
  // After the runs: a host puts its row down before it accepts any.
  const known = new Map((await hosts.markDead()).map(({ id, row }) => [id, row]))
  yield open.filter(({ id, row: { owner } }) => {
    const host = known.get(owner.host_id)
    const isAlive = host !== undefined && host.beat_at !== 0 && host.epoch === owner.epoch
    return !isAlive || (owner.host_id === activeRuns.hostId() && !activeRuns.get(id))
  })
}

async function endLost(parts: RunParts, { id }: RunRecord): Promise<void> {
  const { won, record } = await finish(parts, id, orphaned)
  if (!record || record.row.stream_closed) return
  await closeStream(parts, record.row, won ? orphaned : null)
  await markClosed(parts, id)
}
