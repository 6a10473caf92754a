import type { JobSnapshot } from '@svc/contract'
import { isoOf } from '../../kernel/iso.ts'
import type { WorkOwner } from '../engine/work-owner.ts'
import { isActive, type JobRecord } from './job-row.ts'
import type { JobServices } from './jobs.ts'
import { readLife, readProgress } from './journals.ts'

/** Which progress a snapshot shows: what came after a seq, or the last few; at most `limit`. */
export type ProgressRange = { readonly after: number; readonly limit: number } | { readonly last: number }

const atOrNull = (ms: number | null) => (ms === null ? null : isoOf(ms))

/**
 * What is known of a job, as its caller reads it: the JSON text of a `JobSnapshot`, over all apps with its `app_id`.
 * Result and progress are passed on as they were written: parsed and written again, those of one job would hold up
 * everybody's calls for 20 ms.
 */
export async function snapshotText(
  { bus }: Pick<JobServices, 'bus'>,
  { appId }: WorkOwner,
  { id, row }: JobRecord,
  shown: ProgressRange,
): Promise<string> {
  const life = isActive(row) ? await readLife(bus.journal, id) : row
  const range =
    'last' in shown ? { after: Math.max(0, life.last_seq - shown.last), limit: shown.last } : shown
  const progress = await readProgress(bus.journal, id, { ...range, upTo: life.last_seq })
  const { error } = row
  const head: Omit<JobSnapshot, 'result' | 'error' | 'progress'> = {
    jobId: id,
    tool_id: row.tool_id,
    method: row.tool,
    state: row.state,
    lastSeq: life.last_seq,
    progressDropped: life.dropped,
    lastHeartbeatAt: atOrNull(life.heartbeat_at),
    createdAt: isoOf(row.created_at),
    startedAt: atOrNull(row.started_at),
    endedAt: atOrNull(row.ended_at),
    clientTag: row.client_tag,
    deadlineMs: row.deadline_ms,
  }
  const whole = { ...head, ...(error && { error }), ...(appId === undefined && { app_id: row.app_id }) }
  const result = row.result === null ? '' : `"result":${row.result},`
  return `${JSON.stringify(whole).slice(0, -1)},${result}"progress":[${progress.join(',')}]}`
}
