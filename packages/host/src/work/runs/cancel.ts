import { each } from '@svc/state'
import { type RunRecord, runKey, runs } from '../../catalog/run-row.ts'
import { bestEffort } from '../engine/best-effort.ts'
import { cancelled, type Ending, finish, lifetimeReached } from './ending.ts'
import type { RunOwner, RunParts } from './runs.ts'

/** Where a host is notified of runs of its own that another host ended: the message is the id of a record. */
export const stopTopic = (hostId: string): string => `runs:${hostId}`

/** The run of an owner; `null` where it never was, is forgotten, or belongs to somebody else: they look the same. */
export async function ownRun(
  { store }: Pick<RunParts, 'store'>,
  { userId, appId, sessionUuid }: RunOwner,
  runId: string,
): Promise<RunRecord | null> {
  const record = await store.get(runs, runKey(userId, sessionUuid ?? appId, runId))
  const isOwn = record?.row.app_id === appId && record.row.session_uuid === sessionUuid
  return isOwn ? record : null
}

/** Cancels a run; whether this call did it. */
export async function cancelRun(parts: RunParts, owner: RunOwner, runId: string): Promise<boolean> {
  const record = await ownRun(parts, owner, runId)
  return record !== null && cancel(parts, record, cancelled)
}

/** Cancels what a session has under way; what waits goes first, or it would start. */
export async function cancelAll(
  parts: RunParts,
  sessionUuid: string,
  why: 'revoked' | 'expired',
): Promise<void> {
  const ending = why === 'expired' ? lifetimeReached : cancelled
  for await (const record of each(parts.store, runs, 'activeBySession', { eq: [sessionUuid], order: 'desc' }))
    await cancel(parts, record, ending)
}

/** Cancels the streams of `llm.stream` that an app of a user has under way. */
export async function cancelStreams(parts: RunParts, userId: string, appId: string): Promise<void> {
  for await (const record of each(parts.store, runs, 'activeByApp', { eq: [userId, appId] }))
    if (record.row.session_uuid === null) await cancel(parts, record, cancelled)
}

/** The swap decides; the host that does the run notices at its next look at the latest. */
async function cancel(parts: RunParts, { id, row }: RunRecord, ending: Ending): Promise<boolean> {
  const { won } = await finish(parts, id, ending)
  if (!won) return false
  const held = parts.activeRuns.get(id)
  if (held) held.stop(ending)
  else
    await bestEffort(parts, 'the host of a run was not notified that it has ended', () =>
      parts.bus.publish(stopTopic(row.owner.host_id), JSON.stringify(id)),
    )
  return true
}
