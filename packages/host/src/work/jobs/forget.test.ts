import { verifies } from '@svc/conformance/verifies'
import { limits as table } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { memoryBus, memoryStore } from '@svc/state'
import { expect, it } from 'vitest'
import { type JobBed, openJobBed, settled } from '../../testing/jobs.ts'
import { answered } from '../../testing/jobs-runner.ts'
import { jobs as jobRows } from './job-row.ts'
import { progressJournal } from './journals.ts'

const me = { userId: 'ada', appId: 'app_1' }

/** Starts jobs one after the other and lets each end, with one progress. Returns their ids. */
async function endSome(bed: JobBed, count: number, order: Parameters<JobBed['start']>[0] = {}) {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    const id = await bed.start(order)
    await settled()
    bed.runner.of(id).tell(n)
    bed.runner.of(id).end(answered({ n }))
    await settled()
    await bed.clock.advance(1)
    ids.push(id)
  }
  return ids
}

/** Which of some jobs are still there. */
async function kept(bed: JobBed, ids: readonly string[]): Promise<string[]> {
  const records = await Promise.all(ids.map((id) => bed.store.get(jobRows, id)))
  return ids.filter((_, at) => records[at] !== null)
}

it('a job is forgotten with its journals a week after its end, and not a moment before', async () => {
  const bed = openJobBed({ limits: { HOST_BEAT_MS: 2 ** 40 } })
  const id = await bed.start({ timeoutMs: table.JOB_DEADLINE_MAX_MS })
  const active = await bed.start({ timeoutMs: table.JOB_DEADLINE_MAX_MS })
  await settled()
  bed.runner.of(id).tell(1)
  bed.runner.of(id).end(answered({}))
  await settled()
  await bed.clock.advance(table.JOB_KEPT_MS - 1)
  await bed.jobs.forget()
  expect((await bed.jobs.get(me, id, { after: 0, limit: 9 })).progress).toHaveLength(1)
  await bed.clock.advance(1)
  await bed.jobs.forget()
  await expect(bed.row(id)).rejects.toThrow('there is no job')
  expect((await bed.bus.journal.read(progressJournal(id), 0)).tail).toBe(0)
  expect((await bed.row(active)).state).toBe('running')
  await bed.close()
})

it('however many jobs are old, all of them are forgotten', async () => {
  const bed = openJobBed({ limits: { HOST_BEAT_MS: 2 ** 40, CLEAN_RECORDS_MAX: 2 } })
  const ids = await endSome(bed, 5)
  await bed.clock.advance(table.JOB_KEPT_MS)
  await bed.jobs.forget()
  expect(await kept(bed, ids)).toEqual([])
  await bed.close()
})

verifies(
  'wall.jobs.kept',
  'of an app so many ended jobs are kept; the oldest goes, with its progress, and no active one',
  async () => {
    const bed = openJobBed({ limits: { JOBS_KEPT_PER_APP: 3 } })
    const active = await bed.start()
    const [first = '', ...later] = await endSome(bed, 4)
    expect(await kept(bed, [active, first, ...later])).toEqual([active, ...later])
    expect((await bed.bus.journal.read(progressJournal(first), 0)).tail).toBe(0)
    await bed.jobs.cancel(me, active)
    expect(await kept(bed, [active, ...later])).toEqual([active, ...later.slice(1)])
    const { jobs, truncated } = await bed.jobs.list(me, { limit: 100 })
    expect([jobs.length, truncated]).toEqual([3, false])
    await bed.close()
  },
)

verifies('wall.jobs.kept', 'what one app starts pushes out no job of another app or user', async () => {
  const bed = openJobBed({ limits: { JOBS_KEPT_PER_APP: 3 } })
  const others = [
    ...(await endSome(bed, 2, { appId: 'app_2' })),
    ...(await endSome(bed, 2, { userId: 'bob' })),
  ]
  await endSome(bed, 9)
  expect(await kept(bed, others)).toEqual(others)
  await bed.close()
})

verifies('wall.jobs.kept', 'all apps of a user together have a bound too', async () => {
  const bed = openJobBed({ limits: { JOBS_KEPT_PER_USER: 3 } })
  const bobs = await endSome(bed, 1, { userId: 'bob' })
  const ids: string[] = []
  for (const appId of ['app_1', 'app_2', 'app_3', 'app_4']) ids.push(...(await endSome(bed, 1, { appId })))
  expect(await kept(bed, [...bobs, ...ids])).toEqual([...bobs, ...ids.slice(1)])
  await bed.close()
})

verifies.each(['wall.jobs.kept'])([
  ['nothing is kept', { JOBS_KEPT_PER_APP: 0, JOBS_KEPT_PER_USER: 0 }, 1],
  ['both bounds are full', { JOBS_KEPT_PER_APP: 2, JOBS_KEPT_PER_USER: 2 }, 2],
])('where %s the last one that ended can be read all the same', async (_why, limits, count) => {
  const bed = openJobBed({ limits })
  const ids = await endSome(bed, 4)
  expect(await kept(bed, ids)).toEqual(ids.slice(-count))
  await bed.close()
})

verifies('wall.jobs.kept', 'jobs that two hosts end at once stay within the bound', async () => {
  const clock = frozenClock()
  const limits = { JOBS_KEPT_PER_APP: 2, JOBS_ACTIVE_PER_USER: 50, RUNNER_QUEUE_MAX: 50 }
  const shared = { clock, store: memoryStore(), bus: memoryBus({ clock }), limits }
  const [a, b] = [openJobBed(shared), openJobBed(shared)]
  const ids = [...(await endSome(a, 2)), ...(await endSome(b, 2))]
  const more = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? a : b).start()))
  await Promise.all(more.map((id, n) => (n % 3 ? a : b).jobs.cancel(me, id)))
  expect(await kept(a, [...ids, ...more])).toHaveLength(2)
  await a.close()
  await b.close()
})

verifies('wall.jobs.kept', 'a bus that is away keeps no job from its end', async () => {
  const bed = openJobBed({ limits: { JOBS_KEPT_PER_APP: 1 } })
  const [first = ''] = await endSome(bed, 1)
  const { journal } = bed.bus
  const { drop, trim } = journal
  journal.drop = journal.trim = () => Promise.reject(new Error('the bus is away'))
  const [second = ''] = await endSome(bed, 1)
  Object.assign(journal, { drop, trim })
  expect(await kept(bed, [first, second])).toEqual([second])
  expect(bed.eventsOf(second).at(-1)).toBe('succeeded:1')
  await bed.close()
})
