import type { JobState } from '@svc/contract'
import { job } from '@svc/contract/states'
import type { HostRecord } from '../hosts/host-row.ts'
import type { Page } from '../store/port.ts'
import { runnerCap } from './accept.ts'
import { orphaned } from './ending.ts'
import { finish } from './finish.ts'
import { holdJob } from './held-job.ts'
import { type JobRecord, type JobRow, jobs } from './job-row.ts'
import type { JobParts } from './parts.ts'

/** Jobs that one scan takes up. */
const PAGE = 100

/**
 * Looks after the jobs of hosts that are gone (decision 8): one that had started fails, one that waited goes to a
 * host that has its plugin; where none has, it waits on, until its deadline.
 */
export async function sweepLost(parts: JobParts): Promise<void> {
  for (const host of await parts.hosts.fence()) {
    let left = false
    for await (const record of lostOf(parts, host)) {
      left = true
      await settle(parts, record)
    }
    if (!left) await parts.hosts.forget(host)
  }
}

/** Jobs that a host held before it was taken for dead, in the order in which they came. */
async function* lostOf({ store }: JobParts, { id, row }: HostRecord): AsyncGenerator<JobRecord> {
  for (let after: string | null = null; ; ) {
    const range = { eq: [id], to: row.epoch - 1, after, limit: PAGE }
    const page: Page<JobRow> = await store.scan(jobs, 'activeByOwner', range)
    yield* page.rows
    if (page.next === null) return
    after = page.next
  }
}

async function settle(parts: JobParts, record: JobRecord): Promise<void> {
  const { id, row } = record
  const requeued = job.next(row.state, 'requeue')
  if (requeued !== null) await takeOver(parts, record, requeued)
  // Between the scan and now its host may have begun another life with it: only this one is judged.
  else await finish(parts, id, orphaned(), ({ owner }) => owner.epoch === row.owner.epoch)
}

/** Binds a job that nobody had started to this host, behind those that wait here. */
async function takeOver(parts: JobParts, { id, revision, row }: JobRecord, state: JobState): Promise<void> {
  const { desk, hosts, plugins, runner, store } = parts
  if (!runner || plugins.find(row.user_id, row.tool_id)?.status !== 'available') return
  desk.letGo(id, 'it is taken up again')
  const next = { ...row, state, owner: await hosts.me() }
  const held = holdJob(parts, id, next.owner, row)
  desk.hold(held)
  const taken = await held.turn(() =>
    store.swap(jobs, id, revision, next, { caps: [runnerCap(parts, next)] }),
  )
  if (taken.ok) desk.enqueue(held)
  else desk.letGo(id, 'another host has it')
}
