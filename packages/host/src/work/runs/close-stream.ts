import { errorRow, type RunState } from '@svc/contract'
import { frameJournal, type RunRow, runs } from '../../catalog/run-row.ts'
import { isEnd } from '../../events/view.ts'
import { writeEnd } from '../engine/retention.ts'
import { type Chunks, frameText, openChunks } from './chunks.ts'
import type { Ending } from './ending.ts'
import type { RunParts } from './parts.ts'
import { retention } from './retention.ts'

/** What the last frames are made of. */
type Last = (row: RunRow, chunks: Chunks, ending: Ending | null) => string[]

const errorFrame: Last = ({ error_code }, _chunks, ending) => {
  const code = error_code ?? 'internal_error'
  const { message = errorRow(code).sentence, details } = ending ?? {}
  return [frameText({ event: 'error', errorCode: code, message, ...(details && { details }) })]
}

const last: Readonly<Record<RunState, Last>> = {
  queued: () => [],
  running: () => [],
  // Who ended it may be gone before it could tell what the run took.
  finished: (_row, chunks, ending) =>
    ending?.complete ? [chunks.complete(ending.complete.usage, ending.complete.finish)] : [],
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

/** Writes down that the `end` of a run stands in its journal. */
export async function markClosed(parts: RunParts, id: string): Promise<void> {
  const { clock, limits, store } = parts
  for (;;) {
    const record = await store.get(runs, id)
    if (!record || record.row.stream_closed) return
    const row = { ...record.row, stream_closed: true, frames_until: clock.now() + limits.STREAM_RETAIN_MS }
    if (await writeEnd(parts, retention, record, row)) return
  }
}
