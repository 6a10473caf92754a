import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { openJobRoom, settled } from '../../testing/jobs.ts'
import { answered } from '../../testing/jobs-runner.ts'

const me = { userId: 'ada', appId: 'app_1' }
const all = { after: 0, limit: 500 }
const MINUTE = 60_000

verifies.each(['decision.deadline.late_result', 'job.expire.error', 'error.tool_timeout.job'])([
  [MINUTE - 1, 'succeeded', undefined],
  [MINUTE, 'expired', 'tool_timeout'],
  [MINUTE + 1, 'expired', 'tool_timeout'],
])('a result after %i ms of a minute: %s, with no sweeper about', async (ms, state, code) => {
  const room = openJobRoom()
  const id = await room.start({ timeoutMs: MINUTE })
  await settled()
  await room.clock.advance(ms)
  room.runner.of(id).end(answered({}))
  await settled()
  expect((await room.row(id)).state).toBe(state)
  expect((await room.row(id)).error?.code).toBe(code)
  await room.close()
})

verifies(
  ['decision.job.deadline'],
  'the time in the queue counts, and the plugin reads the same number',
  async () => {
    const room = openJobRoom({ limits: { JOBS_RUNNING_PER_RUNNER: 1 } })
    const begun = room.clock.now()
    const first = await room.start()
    const second = await room.start({ timeoutMs: 2 * MINUTE })
    await settled()
    await room.clock.advance(MINUTE)
    room.runner.of(first).end(answered({}))
    await settled()
    expect(room.runner.of(second)).toMatchObject({ timeoutMs: 2 * MINUTE, deadlineMs: begun + 2 * MINUTE })
    await room.clock.advance(MINUTE)
    expect(await room.jobs.get(me, second, all)).toMatchObject({ state: 'expired' })
    await room.close()
  },
)

/** Each reader that must apply expiry before it answers. */
const readers = {
  getJob: async (room: ReturnType<typeof openJobRoom>, id: string) =>
    (await room.jobs.get(me, id, all)).state,
  listJobs: async (room: ReturnType<typeof openJobRoom>) =>
    (await room.jobs.list(me, { limit: 9 })).jobs[0]?.state,
  'listJobs with a filter': async (room: ReturnType<typeof openJobRoom>) =>
    (await room.jobs.list(me, { limit: 9, state: 'expired' })).jobs[0]?.state,
  'the page': async (room: ReturnType<typeof openJobRoom>) =>
    (await room.jobs.ofUser.list('ada')).jobs[0]?.state,
  cancelJob: async (room: ReturnType<typeof openJobRoom>, id: string) => {
    const { state, cancelled } = await room.jobs.cancel(me, id)
    expect(cancelled).toBe(false)
    return state
  },
  'the sweeper': async (room: ReturnType<typeof openJobRoom>, id: string) => {
    await room.jobs.sweep()
    return (await room.row(id)).state
  },
} as const

verifies.each(['decision.deadline.before_reading', 'job.expire.cancels'])(
  Object.keys(readers).flatMap(
    (name) =>
      [
        [name as keyof typeof readers, 'running', 1],
        [name as keyof typeof readers, 'queued', 0],
      ] as const,
  ),
)('%s finds a %s job expired at its deadline', async (name, state, JOBS_RUNNING_PER_RUNNER) => {
  const room = openJobRoom({ limits: { JOBS_RUNNING_PER_RUNNER } })
  const id = await room.start({ timeoutMs: MINUTE })
  await settled()
  await room.clock.advance(MINUTE - 1)
  expect((await room.jobs.get(me, id, all)).state).toBe(state)
  await room.clock.advance(1)
  expect(await readers[name](room, id)).toBe('expired')
  expect(room.runner.started.map(({ signal }) => signal.reason)).toEqual(
    state === 'running' ? ['timeout'] : [],
  )
  expect(room.toldOf(id).filter((event) => event === 'expired:0')).toHaveLength(1)
  await room.close()
})

verifies(
  ['decision.deadline.before_reading', 'error.job_quota_exceeded'],
  'a job at its deadline takes no place of the quota',
  async () => {
    const room = openJobRoom()
    for (let n = 0; n < 5; n += 1) await room.start({ timeoutMs: n === 0 ? MINUTE : 2 * MINUTE })
    await expect(room.start()).rejects.toMatchObject({ code: 'job_quota_exceeded' })
    await room.clock.advance(MINUTE)
    await room.start()
    await expect(room.start()).rejects.toMatchObject({ code: 'job_quota_exceeded' })
    await room.close()
  },
)

verifies.each(['decision.timeout.job_details'])([
  [1_000, { timeout_ms: 60_000, requested_timeout_ms: 1_000, max_timeout_ms: 86_400_000 }],
  [60_000, undefined],
])('a job asked for with timeoutMs %i expires with the details %j', async (timeoutMs, details) => {
  const room = openJobRoom()
  const id = await room.start({ timeoutMs })
  await room.clock.advance(MINUTE)
  expect((await room.jobs.get(me, id, all)).error).toEqual({
    code: 'tool_timeout',
    message: 'all did not end in 60000 ms.',
    ...(details && { details }),
  })
  await room.close()
})
