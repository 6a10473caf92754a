import type { JobSnapshot } from '@svc/contract'
import { isActive, type JobRecord } from './job-row.ts'
import { readLife, readProgress } from './journals.ts'
import type { JobHouse } from './parts.ts'

/** Which progress a snapshot shows: what came after a seq, or the last few; at most `limit`. */
export type Shown = { readonly after: number; readonly limit: number } | { readonly last: number }

const at = (ms: number) => new Date(ms).toISOString()
const atOrNull = (ms: number | null) => (ms === null ? null : at(ms))

/** What is known of a job, as its caller reads it (spec §2.9). */
export async function snapshotOf(
  { bus }: Pick<JobHouse, 'bus'>,
  { id, row }: JobRecord,
  shown: Shown,
): Promise<JobSnapshot> {
  const life = isActive(row) ? await readLife(bus.journal, id) : row
  const range =
    'last' in shown ? { after: Math.max(0, life.last_seq - shown.last), limit: shown.last } : shown
  const progress = await readProgress(bus.journal, id, { ...range, upTo: life.last_seq })
  return {
    jobId: id,
    tool_id: row.tool_id,
    method: row.tool,
    state: row.state,
    ...(row.result !== null && { result: JSON.parse(row.result) }),
    ...(row.error !== null && { error: { ...row.error } as NonNullable<JobSnapshot['error']> }),
    progress,
    lastSeq: life.last_seq,
    progressDropped: life.dropped,
    lastHeartbeatAt: atOrNull(life.heartbeat_at),
    createdAt: at(row.created_at),
    startedAt: atOrNull(row.started_at),
    endedAt: atOrNull(row.ended_at),
    clientTag: row.client_tag,
    deadlineMs: row.deadline_ms,
  }
}
