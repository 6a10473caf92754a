import { each } from '@svc/state'
import type { HostRecord } from '../../kernel/hosts/host-row.ts'
import { BUILTIN } from '../../machines/runners.ts'
import { adopt, isWaiting } from './adopt.ts'
import { orphaned } from './ending.ts'
import { finish } from './finish.ts'
import { type JobRecord, jobs } from './job-row.ts'
import { alone, type JobParts } from './parts.ts'

/**
 * Looks after the jobs of hosts that are gone: one that had started fails, one that waited goes to a host that can run
 * it; where none can, it waits on, until its deadline. Its machine is looked at, too: it may be revoked, and the host
 * have ended before it said so.
 */
export async function recoverOrphans(parts: JobParts): Promise<void> {
  for (const host of await parts.hosts.buryDead()) {
    const lost: JobRecord[] = []
    for await (const record of lostOf(parts, host)) lost.push(record)
    // What waits goes first: as a running job ends, a host that lives after all would start the next one.
    for (const record of lost) await alone(parts, record.id, () => adopt(parts, record))
    for (const record of lost) await alone(parts, record.id, () => orphan(parts, record))
    for (const { row } of lost)
      if (row.runner_id !== BUILTIN) parts.links.look({ userId: row.user_id, runnerId: row.runner_id })
    if (lost.length === 0) await parts.hosts.forget(host)
  }
}

/** Jobs that a host held before it was taken for dead, in the order in which they came. */
const lostOf = ({ store }: JobParts, { id, row }: HostRecord): AsyncIterable<JobRecord> =>
  each(store, jobs, 'activeByOwner', { eq: [id], to: row.epoch - 1 })

/** Fails a job that had started. Since the scan its host may have begun a new life: only the old one is judged. */
async function orphan(parts: JobParts, record: JobRecord): Promise<void> {
  if (isWaiting(record)) return
  const { id, row } = record
  await finish(parts, id, orphaned(), ({ owner }) => owner.epoch === row.owner.epoch)
}
