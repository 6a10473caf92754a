import type { JobState } from '@svc/contract'
import type { Store } from '@svc/state'
import { memoryStore } from '@svc/state'
import { expect, it } from 'vitest'
import { openJobBed, settled } from '../../testing/jobs.ts'
import { answered } from '../../testing/jobs-runner.ts'
import { type JobRow, jobs } from './job-row.ts'

const me = { userId: 'ada', appId: 'app_1' }
const all = { after: 0, limit: 500 }

/** A test bed over a store whose writes of jobs can be switched off. */
function openFragile(limits = {}, under = memoryStore()) {
  const store = { ...under }
  /** `deafTo`: writes of a job in that state come through and their answers do not. */
  const state = { isAway: false, deafTo: null as JobState | null }
  const broken = () => {
    if (state.isAway) throw new Error('the store is away')
  }
  const heard = <T>(answer: T, row: unknown): T => {
    if ((row as JobRow).state === state.deafTo) throw new Error('the answer was lost')
    return answer
  }
  const fragile: Store = {
    ...store,
    get: (...args) => store.get(...args),
    async insert(collection, id, row, options) {
      if ((collection as unknown) === jobs) broken()
      return heard(await store.insert(collection, id, row, options), row)
    },
    async swap(collection, id, revision, row, options) {
      if ((collection as unknown) === jobs) broken()
      return heard(await store.swap(collection, id, revision, row, options), row)
    },
  }
  return { bed: openJobBed({ store: fragile, limits }), store, state }
}

it('a result that could not be written is written by the next sweep', async () => {
  const { bed, state } = openFragile()
  const id = await bed.start()
  await settled()
  state.isAway = true
  bed.runner.of(id).end(answered({ kept: true }))
  await settled()
  expect((await bed.row(id)).state).toBe('running')
  await bed.jobs.sweep()
  expect((await bed.row(id)).state).toBe('running')
  state.isAway = false
  await bed.jobs.sweep()
  expect(await bed.jobs.get(me, id, all)).toMatchObject({ state: 'succeeded', result: { kept: true } })
  expect(bed.eventsOf(id)).toEqual(['queued:0', 'running:0', 'succeeded:0'])
  await bed.close()
})

it('a job that could not be begun waits for the next sweep, before those that came later', async () => {
  const { bed, state } = openFragile({ JOBS_RUNNING_PER_RUNNER: 1 })
  const first = await bed.start()
  const second = await bed.start()
  await settled()
  const third = await bed.start()
  state.isAway = true
  bed.runner.of(first).end(answered({}))
  await settled()
  state.isAway = false
  await bed.jobs.sweep()
  await settled()
  expect(bed.runner.started.map(({ jobId }) => jobId)).toEqual([first, second])
  expect((await bed.row(third)).state).toBe('queued')
  await bed.close()
})

it('a job that could not be inserted leaves nothing behind', async () => {
  const { bed, state } = openFragile()
  state.isAway = true
  await expect(bed.start()).rejects.toThrow('the store is away')
  state.isAway = false
  expect(bed.events).toEqual([])
  expect(await (await bed.metrics.registry()).metrics()).toContain('svc_jobs_active 0')
  await bed.close()
  expect(bed.clock.timers).toBe(0)
})

it('a job whose insert was not answered is ended, because its caller knows of none', async () => {
  const { bed, state } = openFragile()
  await bed.start()
  state.deafTo = 'queued'
  await expect(bed.start()).rejects.toThrow('the answer was lost')
  state.deafTo = null
  await bed.jobs.sweep()
  const { jobs: listed } = await bed.jobs.list(me, { limit: 9 })
  expect(listed.map(({ state, error }) => [state, error?.code])).toEqual([
    ['failed', 'internal_error'],
    ['running', undefined],
  ])
  expect(bed.runner.started).toHaveLength(1)
  await bed.close()
})

it('a job whose start was not answered is run, once', async () => {
  const { bed, state } = openFragile({ JOBS_RUNNING_PER_RUNNER: 1 })
  const [first, second] = [await bed.start(), await bed.start()]
  await settled()
  state.deafTo = 'running'
  await bed.jobs.cancel(me, first)
  await settled()
  state.deafTo = null
  expect([(await bed.row(second)).state, bed.runner.started.length]).toEqual(['running', 1])
  await bed.jobs.sweep()
  await bed.jobs.sweep()
  await settled()
  expect(bed.runner.started.map(({ jobId }) => jobId)).toEqual([first, second])
  bed.runner.of(second).end(answered({}))
  await settled()
  expect(bed.eventsOf(second)).toEqual(['queued:0', 'running:0', 'succeeded:0'])
  await bed.close()
})

it('a job that was taken up and whose write was not answered is run all the same, once', async () => {
  const { bed: dead, store } = openFragile({ JOBS_RUNNING_PER_RUNNER: 0 })
  const id = await dead.start()
  await dead.close()
  const { bed, state } = openFragile({}, store)
  state.deafTo = 'queued'
  await bed.jobs.sweep()
  await settled()
  state.deafTo = null
  await bed.jobs.sweep()
  await settled()
  expect(bed.runner.started.map(({ jobId }) => jobId)).toEqual([id])
  bed.runner.of(id).end(answered({}))
  await settled()
  expect((await bed.row(id)).state).toBe('succeeded')
  await bed.close()
})

it('a job that cannot be looked after holds up no other', async () => {
  const { bed, store } = openFragile({ JOBS_RUNNING_PER_RUNNER: 0 })
  const [stuck, due] = [await bed.start({ timeoutMs: 60_000 }), await bed.start({ timeoutMs: 60_000 })]
  const { swap } = store
  store.swap = async (collection, id, ...rest) => {
    if (id === stuck) throw new Error('it cannot be written')
    return swap(collection, id, ...rest)
  }
  await bed.clock.advance(60_000)
  await bed.jobs.sweep()
  expect((await bed.row(due)).state).toBe('expired')
  store.swap = swap
  expect((await bed.row(stuck)).state).toBe('queued')
  await bed.jobs.sweep()
  expect((await bed.row(stuck)).state).toBe('expired')
  await bed.close()
})

it('a cancel whose write broke is told so, and the job goes on', async () => {
  const { bed, state } = openFragile()
  const id = await bed.start()
  await settled()
  state.isAway = true
  await expect(bed.jobs.cancel(me, id)).rejects.toThrow('the store is away')
  state.isAway = false
  bed.runner.of(id).tell(1)
  bed.runner.of(id).end(answered({}))
  await settled()
  expect(bed.eventsOf(id)).toEqual(['queued:0', 'running:0', 'progress:1', 'succeeded:1'])
  await bed.close()
})

it('a runner that throws fails the job', async () => {
  const { bed } = openFragile()
  bed.runner.job = () => Promise.reject(new Error('broken'))
  const id = await bed.start()
  await settled()
  expect((await bed.row(id)).error).toEqual({
    code: 'plug_unavailable',
    message: 'the runner of this job failed',
  })
  await bed.close()
})
