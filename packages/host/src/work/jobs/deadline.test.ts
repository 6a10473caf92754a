import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { openJobBed, settled } from '../../testing/jobs.ts'
import { answered } from '../../testing/jobs-runner.ts'

const me = { userId: 'ada', appId: 'app_1' }
const all = { after: 0, limit: 500 }
const MINUTE = 60_000

verifies.each(['decision.deadline.late_result', 'job.expire.error', 'error.tool_timeout.job'])([
  [MINUTE - 1, 'succeeded', undefined],
  [MINUTE, 'expired', 'tool_timeout'],
  [MINUTE + 1, 'expired', 'tool_timeout'],
])('a result after %i ms of a minute: %s, with no sweeper about', async (ms, state, code) => {
  const bed = openJobBed()
  const id = await bed.start({ timeoutMs: MINUTE })
  await settled()
  await bed.clock.advance(ms)
  bed.runner.of(id).end(answered({}))
  await settled()
  expect((await bed.row(id)).state).toBe(state)
  expect((await bed.row(id)).error?.code).toBe(code)
  await bed.close()
})

verifies(
  ['decision.job.deadline'],
  'the time in the queue counts, and the plugin reads the same number',
  async () => {
    const bed = openJobBed({ limits: { JOBS_RUNNING_PER_RUNNER: 1 } })
    const begun = bed.clock.now()
    const first = await bed.start()
    const second = await bed.start({ timeoutMs: 2 * MINUTE })
    await settled()
    await bed.clock.advance(MINUTE)
    bed.runner.of(first).end(answered({}))
    await settled()
    expect(bed.runner.of(second)).toMatchObject({ timeoutMs: 2 * MINUTE, deadlineMs: begun + 2 * MINUTE })
    await bed.clock.advance(MINUTE)
    expect(await bed.jobs.get(me, second, all)).toMatchObject({ state: 'expired' })
    await bed.close()
  },
)

/** Each reader that must apply expiry before it answers. */
const readers = {
  getJob: async (bed: ReturnType<typeof openJobBed>, id: string) => (await bed.jobs.get(me, id, all)).state,
  listJobs: async (bed: ReturnType<typeof openJobBed>) =>
    (await bed.jobs.list(me, { limit: 9 })).jobs[0]?.state,
  'listJobs with a filter': async (bed: ReturnType<typeof openJobBed>) =>
    (await bed.jobs.list(me, { limit: 9, state: 'expired' })).jobs[0]?.state,
  'the page': async (bed: ReturnType<typeof openJobBed>) =>
    (await bed.jobs.ofUser.list('ada')).jobs[0]?.state,
  cancelJob: async (bed: ReturnType<typeof openJobBed>, id: string) => {
    const { state, cancelled } = await bed.jobs.cancel(me, id)
    expect(cancelled).toBe(false)
    return state
  },
  'the sweeper': async (bed: ReturnType<typeof openJobBed>, id: string) => {
    await bed.jobs.sweep()
    return (await bed.row(id)).state
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
  const bed = openJobBed({ limits: { JOBS_RUNNING_PER_RUNNER } })
  const id = await bed.start({ timeoutMs: MINUTE })
  await settled()
  await bed.clock.advance(MINUTE - 1)
  expect((await bed.jobs.get(me, id, all)).state).toBe(state)
  await bed.clock.advance(1)
  expect(await readers[name](bed, id)).toBe('expired')
  expect(bed.runner.started.map(({ signal }) => signal.reason)).toEqual(
    state === 'running' ? ['timeout'] : [],
  )
  expect(bed.eventsOf(id).filter((event) => event === 'expired:0')).toHaveLength(1)
  await bed.close()
})

verifies(
  ['decision.deadline.before_reading', 'error.job_quota_exceeded'],
  'a job at its deadline takes no place of the quota',
  async () => {
    const bed = openJobBed()
    for (let n = 0; n < 5; n += 1) await bed.start({ timeoutMs: n === 0 ? MINUTE : 2 * MINUTE })
    await expect(bed.start()).rejects.toMatchObject({ code: 'job_quota_exceeded' })
    await bed.clock.advance(MINUTE)
    await bed.start()
    await expect(bed.start()).rejects.toMatchObject({ code: 'job_quota_exceeded' })
    await bed.close()
  },
)

verifies.each(['decision.timeout.job_details'])([
  [1_000, { timeout_ms: 60_000, requested_timeout_ms: 1_000, max_timeout_ms: 86_400_000 }],
  [60_000, undefined],
])('a job asked for with timeoutMs %i expires with the details %j', async (timeoutMs, details) => {
  const bed = openJobBed()
  const id = await bed.start({ timeoutMs })
  await bed.clock.advance(MINUTE)
  expect((await bed.jobs.get(me, id, all)).error).toEqual({
    code: 'tool_timeout',
    message: 'all did not end in 60000 ms.',
    ...(details && { details }),
  })
  await bed.close()
})
