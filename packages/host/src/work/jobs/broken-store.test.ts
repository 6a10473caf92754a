import type { JobState } from '@svc/contract'
import type { Store } from '@svc/state'
import { memoryStore } from '@svc/state'
import { expect, it } from 'vitest'
import { openJobRoom, settled } from '../../testing/jobs.ts'
import { answered } from '../../testing/jobs-runner.ts'
import { type JobRow, jobs } from './job-row.ts'

const me = { userId: 'ada', appId: 'app_1' }
const all = { after: 0, limit: 500 }

/** A room over a store whose writes of jobs can be switched off. */
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
  return { room: openJobRoom({ store: fragile, limits }), store, state }
}

it('a result that could not be written is written by the next sweep', async () => {
  const { room, state } = openFragile()
  const id = await room.start()
  await settled()
  state.isAway = true
  room.runner.of(id).end(answered({ kept: true }))
  await settled()
  expect((await room.row(id)).state).toBe('running')
  await room.jobs.sweep()
  expect((await room.row(id)).state).toBe('running')
  state.isAway = false
  await room.jobs.sweep()
  expect(await room.jobs.get(me, id, all)).toMatchObject({ state: 'succeeded', result: { kept: true } })
  expect(room.toldOf(id)).toEqual(['queued:0', 'running:0', 'succeeded:0'])
  await room.close()
})

it('a job that could not be begun waits for the next sweep, before those that came later', async () => {
  const { room, state } = openFragile({ JOBS_RUNNING_PER_RUNNER: 1 })
  const first = await room.start()
  const second = await room.start()
  await settled()
  const third = await room.start()
  state.isAway = true
  room.runner.of(first).end(answered({}))
  await settled()
  state.isAway = false
  await room.jobs.sweep()
  await settled()
  expect(room.runner.started.map(({ jobId }) => jobId)).toEqual([first, second])
  expect((await room.row(third)).state).toBe('queued')
  await room.close()
})

it('a job that could not be inserted leaves nothing behind', async () => {
  const { room, state } = openFragile()
  state.isAway = true
  await expect(room.start()).rejects.toThrow('the store is away')
  state.isAway = false
  expect(room.events).toEqual([])
  expect(await room.metrics.registry.metrics()).toContain('svc_jobs_active 0')
  await room.close()
  expect(room.clock.timers).toBe(0)
})

it('a job whose insert was not answered is ended, because its caller knows of none', async () => {
  const { room, state } = openFragile()
  await room.start()
  state.deafTo = 'queued'
  await expect(room.start()).rejects.toThrow('the answer was lost')
  state.deafTo = null
  await room.jobs.sweep()
  const { jobs: listed } = await room.jobs.list(me, { limit: 9 })
  expect(listed.map(({ state, error }) => [state, error?.code])).toEqual([
    ['failed', 'internal_error'],
    ['running', undefined],
  ])
  expect(room.runner.started).toHaveLength(1)
  await room.close()
})

it('a job whose start was not answered is run, once', async () => {
  const { room, state } = openFragile({ JOBS_RUNNING_PER_RUNNER: 1 })
  const [first, second] = [await room.start(), await room.start()]
  await settled()
  state.deafTo = 'running'
  await room.jobs.cancel(me, first)
  await settled()
  state.deafTo = null
  expect([(await room.row(second)).state, room.runner.started.length]).toEqual(['running', 1])
  await room.jobs.sweep()
  await room.jobs.sweep()
  await settled()
  expect(room.runner.started.map(({ jobId }) => jobId)).toEqual([first, second])
  room.runner.of(second).end(answered({}))
  await settled()
  expect(room.toldOf(second)).toEqual(['queued:0', 'running:0', 'succeeded:0'])
  await room.close()
})

it('a job that was taken up and whose write was not answered is run all the same, once', async () => {
  const { room: dead, store } = openFragile({ JOBS_RUNNING_PER_RUNNER: 0 })
  const id = await dead.start()
  await dead.close()
  const { room, state } = openFragile({}, store)
  state.deafTo = 'queued'
  await room.jobs.sweep()
  await settled()
  state.deafTo = null
  await room.jobs.sweep()
  await settled()
  expect(room.runner.started.map(({ jobId }) => jobId)).toEqual([id])
  room.runner.of(id).end(answered({}))
  await settled()
  expect((await room.row(id)).state).toBe('succeeded')
  await room.close()
})

it('a job that cannot be looked after holds up no other', async () => {
  const { room, store } = openFragile({ JOBS_RUNNING_PER_RUNNER: 0 })
  const [stuck, due] = [await room.start({ timeoutMs: 60_000 }), await room.start({ timeoutMs: 60_000 })]
  const { swap } = store
  store.swap = async (collection, id, ...rest) => {
    if (id === stuck) throw new Error('it cannot be written')
    return swap(collection, id, ...rest)
  }
  await room.clock.advance(60_000)
  await room.jobs.sweep()
  expect((await room.row(due)).state).toBe('expired')
  store.swap = swap
  expect((await room.row(stuck)).state).toBe('queued')
  await room.jobs.sweep()
  expect((await room.row(stuck)).state).toBe('expired')
  await room.close()
})

it('a cancel whose write broke is told so, and the job goes on', async () => {
  const { room, state } = openFragile()
  const id = await room.start()
  await settled()
  state.isAway = true
  await expect(room.jobs.cancel(me, id)).rejects.toThrow('the store is away')
  state.isAway = false
  room.runner.of(id).tell(1)
  room.runner.of(id).end(answered({}))
  await settled()
  expect(room.toldOf(id)).toEqual(['queued:0', 'running:0', 'progress:1', 'succeeded:1'])
  await room.close()
})

it('a runner that throws fails the job', async () => {
  const { room } = openFragile()
  room.runner.job = () => Promise.reject(new Error('broken'))
  const id = await room.start()
  await settled()
  expect((await room.row(id)).error).toEqual({
    code: 'plug_unavailable',
    message: 'the runner of this job broke down',
  })
  await room.close()
})
