import { job } from '@svc/contract/states'
import { BUILTIN } from '../../machines/runners.ts'
import { runnerCap } from './accept.ts'
import { holdJob } from './held-job.ts'
import { type JobRecord, jobs } from './job-row.ts'
import type { JobParts } from './parts.ts'

/** Whether nobody had started a job, so that it may go to another host. */
export const isWaiting = ({ row }: JobRecord): boolean => job.next(row.state, 'requeue') !== null

/** Binds a job that nobody had started to this host, where its runner is, in the order in which they came. */
export async function adopt(parts: JobParts, { id, revision, row }: JobRecord): Promise<void> {
  const { activeJobs, log, store } = parts
  const state = job.next(row.state, 'requeue')
  if (state === null || !(await isHere(parts, row))) return
  activeJobs.release(id, 'it is taken up again')
  const next = { ...row, state, owner: await parts.ownership.me() }
  const held = holdJob(parts, id, next)
  activeJobs.hold(held)
  const taken = await held
    .turn(() => store.swap(jobs, id, revision, next, { caps: [runnerCap(parts, next)] }))
    .catch((err: unknown) => {
      log.warn({ err, job: id }, 'whether a job was taken up is read when it begins')
      return { ok: true }
    })
  if (taken.ok) activeJobs.enqueue(held)
  else activeJobs.release(id, 'another host has it')
}

/** Whether this host can run a job: it has the link to its runner, or has the plugin where that is a host's own. */
async function isHere({ links, plugins }: JobParts, row: JobRecord['row']): Promise<boolean> {
  if (row.runner_id !== BUILTIN) return links.of(row.runner_id) !== null
  const plugin = await plugins.bound(row)
  // What its user does not agree to any more fails as it begins.
  return plugin?.status === 'available' || plugin?.unagreed !== undefined
}
