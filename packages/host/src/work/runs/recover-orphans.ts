import { all } from '@svc/state'
import { type RunRecord, runs } from '../../catalog/run-row.ts'
import { bestEffort } from '../engine/best-effort.ts'
import { closeStream, markClosed } from './close-stream.ts'
import { orphaned } from './ending.ts'
import { finish } from './finish.ts'
import type { RunParts } from './parts.ts'

/**
 * Ends the runs that nobody does any more: those of hosts that are gone, and those of this one that it let go of
 * because they could not be written. A run is never done twice, so each of them fails, or ends as its row has it.
 */
export async function recoverOrphans(parts: RunParts): Promise<void> {
  const open = await openRuns(parts)
  if (open.length === 0) return
  // After the runs: a host puts its row down before it accepts any.
  const hosts = new Map((await parts.hosts.buryDead()).map(({ id, row }) => [id, row]))
  for (const record of open) {
    const { owner } = record.row
    const host = hosts.get(owner.host_id)
    const isAlive = host !== undefined && host.beat_at !== 0 && host.epoch === owner.epoch
    if (isAlive && (owner.host_id !== parts.ownership.hostId || parts.activeRuns.get(record.id))) continue
    await bestEffort(parts, 'a run without a host is ended later', () => end(parts, record))
  }
}

const openRuns = ({ store }: RunParts): Promise<RunRecord[]> => all(store, runs, 'openByOwner')

async function end(parts: RunParts, { id }: RunRecord): Promise<void> {
  const { won, record } = await finish(parts, id, orphaned)
  if (!record || record.row.stream_closed) return
  await closeStream(parts, record.row, won ? orphaned : null)
  await markClosed(parts, id)
}
