import { job } from '@svc/contract/states'
import { all } from '@svc/state'
import { isSameOwner } from '../../kernel/hosts.ts'
import { BUILTIN } from '../../machines/runners.ts'
import { recoverOrphans } from '../engine/orphans.ts'
import { runnerCap } from './accept.ts'
import { disconnected, orphaned, revoked } from './ending.ts'
import { finish } from './finish.ts'
import { HeldJob } from './held-job.ts'
import { type JobRecord, jobs } from './job-row.ts'
import type { JobParts } from './jobs.ts'
import type { RunnerOf } from './links.ts'
import { activeOf } from './own-job.ts'

/** Updates the jobs of the runners that came, left or were revoked; what fails is tried again by the next sweep. */
export async function reconcileRunners(parts: JobParts): Promise<void> {
  const { links, log, activeJobs } = parts
  for (const runner of [...links.due()]) {
    if (activeJobs.isClosed()) return
    try {
      await reconcile(parts, runner)
    } catch (err) {
      log.error({ err, runner: runner.runnerId }, 'the jobs of a runner could not be checked')
      links.markDue(runner)
    }
  }
}

/**
 * The jobs of one runner: where it is connected to this host, this host takes over those that waited for it, whichever
 * host had accepted them; where it is not enrolled any more, they fail; else they wait.
 */
async function reconcile(parts: JobParts, { userId, runnerId }: RunnerOf): Promise<void> {
  const { links, activeJobs, runners } = parts
  const link = links.of(runnerId)
  const bound = await activeOf(parts, userId, runnerId)
  await failUnstarted(parts, bound)
  if (link) {
    for (const record of bound) if (isWaiting(record) && !isHeld(parts, record)) await adopt(parts, record)
    links.open(runnerId, link)
    activeJobs.pump()
    return
  }
  if (bound.length === 0) return
  if (await runners.isEnrolled(userId, runnerId)) return
  for (const { id } of bound) await finish(parts, id, revoked())
}

/**
 * Fails those that this host marked as running and then released: the response to that write was lost, and the runner
 * left before the job was started again. They run nowhere.
 */
async function failUnstarted(parts: JobParts, bound: readonly JobRecord[]): Promise<void> {
  for (const record of bound) {
    if (isWaiting(record) || isHeld(parts, record)) continue
    const me = await parts.activeJobs.me()
    if (isSameOwner(record.row.owner, me)) await finish(parts, record.id, disconnected())
  }
}

const isHeld = ({ activeJobs }: JobParts, { id, row }: JobRecord): boolean => {
  const held = activeJobs.get(id)
  return held !== undefined && isSameOwner(held.owner, row.owner)
}

/** Whether nobody had started a job, so that it may go to another host. */
const isWaiting = ({ row }: JobRecord): boolean => job.next(row.state, 'requeue') !== null

/** Binds a job that nobody had started to this host, where its runner is, in the order in which they came. */
async function adopt(parts: JobParts, { id, revision, row }: JobRecord): Promise<void> {
  const { activeJobs, log, store } = parts
  const state = job.next(row.state, 'requeue')
  if (state === null || !(await canRunHere(parts, row))) return
  activeJobs.release(id, 'it is taken up again')
  const next = { ...row, state, owner: await parts.activeJobs.me() }
  const held = new HeldJob(parts, id, next)
  activeJobs.hold(held)
  const taken = await held
    .turn(() => store.swap(jobs, id, revision, next, { caps: [runnerCap(parts, next)] }))
    .catch((err: unknown) => {
      log.warn({ err, job: id }, 'a job may not have been adopted; the host checks again when it starts')
      return { ok: true }
    })
  if (taken.ok) activeJobs.enqueue(held)
  else activeJobs.release(id, 'another host has it')
}

/** Whether this host can run a job: it has the link to its runner, or has the plugin where that is a host's own. */
async function canRunHere({ links, plugins }: JobParts, row: JobRecord['row']): Promise<boolean> {
  if (row.runner_id !== BUILTIN) return links.of(row.runner_id) !== null
  const plugin = await plugins.bound(row)
  // What its user does not agree to any more fails as it begins.
  return plugin?.status === 'available' || plugin?.unagreed !== undefined
}

/**
 * Recovers the jobs of hosts that are gone: one that had started fails, one that waited goes to a host that can run it;
 * where none can, it waits until its deadline. Its machine is checked too: it may have been revoked, and the host have
 * ended before it reported that.
 */
export const recoverJobs = (parts: JobParts): Promise<void> =>
  recoverOrphans(parts, {
    kind: 'job',
    lost: lostJobs(parts),
    steps: [
      // What waits goes first: as a running job ends, a host that lives after all would start the next one.
      (record) => adopt(parts, record),
      (record) => failOrphan(parts, record),
      async ({ row }) => {
        if (row.runner_id !== BUILTIN) parts.links.markDue({ userId: row.user_id, runnerId: row.runner_id })
      },
    ],
  })

/** Jobs that a host held before it was taken for dead, in the order in which they came; one that left none is forgotten. */
async function* lostJobs({ hosts, store }: JobParts): AsyncGenerator<readonly JobRecord[]> {
  for (const host of await hosts.markDead()) {
    const lost = await all(store, jobs, 'activeByOwner', { eq: [host.id], to: host.row.epoch - 1 })
    yield lost
    if (lost.length === 0) await hosts.forget(host)
  }
}

/** Fails a job that had started. Since the scan its host may have begun a new life: only the old one is judged. */
async function failOrphan(parts: JobParts, record: JobRecord): Promise<void> {
  if (isWaiting(record)) return
  const { id, row } = record
  await finish(parts, id, orphaned(), ({ owner }) => owner.epoch === row.owner.epoch)
}
