import { verifies } from '@svc/conformance/verifies'
import type { Refusal } from '@svc/contract'
import { expect, it } from 'vitest'
import { openJobBed, settled } from '../../testing/jobs.ts'
import { answered } from '../../testing/jobs-runner.ts'

const me = { userId: 'ada', appId: 'app_1' }
const codes = (results: readonly PromiseSettledResult<string>[]) =>
  results.map((one) => (one.status === 'fulfilled' ? 'ok' : (one.reason as Refusal).code))
const states = async (bed: ReturnType<typeof openJobBed>, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await bed.row(id)).state))

verifies(
  ['decision.capacity.atomic', 'error.job_quota_exceeded', 'decision.capacity.order'],
  'of 50 jobs at once five are accepted, three of them run',
  async () => {
    const bed = openJobBed()
    const starts = Array.from({ length: 50 }, (_, n) => bed.start({ appId: `app_${n % 3}` }))
    const results = await Promise.allSettled(starts)
    await settled()
    expect(codes(results).filter((code) => code === 'ok')).toHaveLength(5)
    expect(codes(results).filter((code) => code === 'job_quota_exceeded')).toHaveLength(45)
    expect(bed.runner.started).toHaveLength(3)
    const { jobs } = await bed.jobs.ofUser.list('ada', { limit: 100 })
    expect(jobs.map(({ state }) => state).sort()).toEqual([
      'queued',
      'queued',
      'running',
      'running',
      'running',
    ])
    await bed.close()
  },
)

verifies(['decision.capacity.fifo'], 'those that wait go first come first served', async () => {
  const bed = openJobBed({ limits: { JOBS_RUNNING_PER_RUNNER: 1, RUNNER_QUEUE_MAX: 4 } })
  const ids: string[] = []
  for (let n = 0; n < 5; n += 1) ids.push(await bed.start())
  await settled()
  const [first = '', second = '', third = ''] = ids
  await bed.jobs.cancel(me, third)
  for (const id of [first, second]) {
    bed.runner.of(id).end(answered({}))
    await settled()
  }
  expect(bed.runner.started.map(({ jobId }) => jobId)).toEqual([first, second, ids[3]])
  expect(await states(bed, ids)).toEqual(['succeeded', 'succeeded', 'cancelled', 'running', 'queued'])
  await bed.close()
})

verifies.each(['decision.capacity.queue_full', 'decision.capacity.strict', 'error.long_job_capacity'])([
  [0, 3],
  [1, 4],
])('with a queue of %i the job after %i is refused and leaves no row', async (RUNNER_QUEUE_MAX, taken) => {
  const bed = openJobBed({ limits: { RUNNER_QUEUE_MAX } })
  const ids: string[] = []
  for (let n = 0; n < taken; n += 1) ids.push(await bed.start())
  await settled()
  await expect(bed.start()).rejects.toMatchObject({
    code: 'long_job_capacity',
    details: { hint: expect.any(String) },
  })
  expect((await bed.jobs.list(me, { limit: 100 })).jobs).toHaveLength(taken)
  expect(bed.events.filter(({ event }) => event === 'queued')).toHaveLength(taken)
  bed.runner.of(ids[0] ?? '').end(answered({}))
  await settled()
  await bed.start()
  await bed.close()
})

verifies(
  ['decision.capacity.by_user', 'decision.capacity.order'],
  'each user has places of their own, and the quota speaks before the runner',
  async () => {
    const bed = openJobBed({ limits: { JOBS_ACTIVE_PER_USER: 3, RUNNER_QUEUE_MAX: 0 } })
    for (const userId of ['ada', 'bob']) for (let n = 0; n < 3; n += 1) await bed.start({ userId })
    await settled()
    expect(bed.runner.started).toHaveLength(6)
    await expect(bed.start()).rejects.toMatchObject({ code: 'job_quota_exceeded' })
    await bed.close()
  },
)

it('the gauge counts what is held, and a counter what ended', async () => {
  const bed = openJobBed()
  const ids = [await bed.start(), await bed.start()]
  await settled()
  await bed.jobs.cancel(me, ids[0] ?? '')
  await settled()
  const metrics = await (await bed.metrics.registry()).metrics()
  expect(metrics).toContain('svc_jobs_active 1')
  expect(metrics).toContain('svc_jobs_ended_total{state="cancelled"} 1')
  await bed.close()
  expect(await (await bed.metrics.registry()).metrics()).toContain('svc_jobs_active 0')
})
