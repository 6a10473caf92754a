import { expire } from './finish.ts'
import { isDue, type JobRecord } from './job-row.ts'
import type { JobParts } from './parts.ts'

/** A job as it stands now: its deadline counts whether or not the sweeper came by. */
export async function current(parts: JobParts, record: JobRecord): Promise<JobRecord | null> {
  return isDue(record.row, parts.clock.now()) ? (await expire(parts, record)).record : record
}
