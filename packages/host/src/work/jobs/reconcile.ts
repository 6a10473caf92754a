import { isSameOwner } from '../../kernel/hosts/host-row.ts'
import { adopt, isWaiting } from './adopt.ts'
import { disconnected, revoked } from './ending.ts'
import { finish } from './finish.ts'
import { type JobRecord, jobs } from './job-row.ts'
import type { RunnerOf } from './links.ts'
import type { JobParts } from './parts.ts'

/** Looks after the jobs of the runners that came, went or were revoked; what fails comes again with the next sweep. */
export async function reconcileRunners(parts: JobParts): Promise<void> {
  const { links, log, activeJobs } = parts
  for (const runner of [...links.due()]) {
    if (activeJobs.isClosed) return
    try {
      await reconcile(parts, runner)
    } catch (err) {
      log.error({ err, runner: runner.runnerId }, 'the jobs of a runner could not be looked after')
      links.look(runner)
    }
  }
}

/**
 * The jobs of one runner: where it is connected to this host, those that waited for it are taken up here, whichever
 * host had accepted them; where it is not enrolled any more, they fail; else they wait.
 */
async function reconcile(parts: JobParts, { userId, runnerId }: RunnerOf): Promise<void> {
  const { links, activeJobs, runners } = parts
  const link = links.of(runnerId)
  const bound = await boundTo(parts, { userId, runnerId })
  await dropBegun(parts, bound)
  if (link) {
    for (const record of bound) if (isWaiting(record) && !isHeld(parts, record)) await adopt(parts, record)
    links.open(runnerId, link)
    activeJobs.pump()
    return
  }
  if (bound.length === 0) return
  if ((await runners.list(userId)).some((one) => one.runner_id === runnerId)) return
  for (const { id } of bound) await finish(parts, id, revoked())
}

/**
 * Fails those that this host wrote down as running and let go of: the answer to that write was lost, and the runner
 * went before the job was begun anew. They run nowhere.
 */
async function dropBegun(parts: JobParts, bound: readonly JobRecord[]): Promise<void> {
  for (const record of bound) {
    if (isWaiting(record) || isHeld(parts, record)) continue
    const me = await parts.ownership.me()
    if (isSameOwner(record.row.owner, me)) await finish(parts, record.id, disconnected())
  }
}

/** The jobs of a runner that have not ended, in the order in which they came: no more than its cap lets in. */
async function boundTo({ limits, store }: JobParts, { userId, runnerId }: RunnerOf) {
  const limit = limits.JOBS_ACTIVE_PER_USER + 1
  return (await store.scan(jobs, 'activeByUser', { eq: [userId, runnerId], limit })).rows
}

const isHeld = ({ activeJobs }: JobParts, { id, row }: JobRecord): boolean => {
  const held = activeJobs.get(id)
  return held !== undefined && isSameOwner(held.owner, row.owner)
}
