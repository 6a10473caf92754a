import { refuse } from '@svc/contract'
import type { RunRecord } from '../../catalog/run-row.ts'
import type { RunParts } from './parts.ts'
import type { RunCaller, StreamIds } from './runs.ts'

/** The answer of a run that is known, for the same arguments again. Errors: `invalid_arg`. */
export function sameAnswer(
  { events }: Pick<RunParts, 'events'>,
  { userId, windowUuid }: RunCaller,
  { row }: RunRecord,
  fingerprint: string,
): StreamIds {
  const { run_id, stream_id } = row
  if (row.fingerprint !== fingerprint)
    throw refuse('invalid_arg', `run_id ${run_id} belongs to a run with other arguments`, {
      hint: 'Send the arguments of the first call again, or leave run_id out for a new run.',
    })
  // The window that it was accepted for follows it already.
  if (windowUuid !== null && windowUuid !== row.window_uuid)
    events.follow(userId, windowUuid, stream_id, null)
  return { stream_id, run_id }
}
