import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { PLUGIN, settled } from '../../testing/jobs.ts'
import { openBeds, startSome } from '../../testing/jobs-hosts.ts'
import { answered } from '../../testing/jobs-runner.ts'

const me = { userId: 'ada', appId: 'app_1' }

verifies(
  ['decision.runner.job_bound', 'decision.capacity.by_runner'],
  'a job goes to the runner with the fewest busy places, of several to the oldest',
  async () => {
    const { a } = openBeds()
    a.runners.connect('rnr_new')
    a.runners.connect('rnr_1')
    const ids = await startSome(a, 4, ['rnr_1', 'rnr_new'])
    const bound = await Promise.all(ids.map(async (id) => (await a.row(id)).runner_id))
    expect(bound).toEqual(['rnr_new', 'rnr_1', 'rnr_new', 'rnr_1'])
    a.runners.made[0]?.runner.of(ids[0] ?? '').end(answered({}))
    await settled()
    const [next = ''] = await startSome(a, 1, ['rnr_1', 'rnr_new'])
    expect((await a.row(next)).runner_id).toBe('rnr_new')
    await a.close()
  },
)

verifies.each(['decision.capacity.by_runner', 'decision.capacity.atomic', 'decision.capacity.strict'])([
  ['the quota of the user first', {}, { taken: 5, running: [3, 2], refusal: 'job_quota_exceeded' }],
  [
    'then both runners',
    { JOBS_ACTIVE_PER_USER: 30 },
    { taken: 10, running: [3, 3], refusal: 'long_job_capacity' },
  ],
  [
    'no queue',
    { JOBS_ACTIVE_PER_USER: 30, RUNNER_QUEUE_MAX: 0 },
    { taken: 6, running: [3, 3], refusal: 'long_job_capacity' },
  ],
])('of 50 jobs at once over two runners so many are taken: %s', async (_what, limits, expected) => {
  const { a } = openBeds(limits)
  for (const id of ['rnr_1', 'rnr_2']) a.runners.connect(id)
  const on = ['rnr_1', 'rnr_2']
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => a.start({ on })))
  await settled()
  const taken = results.filter(({ status }) => status === 'fulfilled')
  expect(taken).toHaveLength(expected.taken)
  for (const one of results)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: expected.refusal })
  expect(a.runners.made.map(({ runner }) => runner.started.length)).toEqual(expected.running)
  expect((await a.jobs.list(me, { limit: 100 })).jobs).toHaveLength(expected.taken)
  await a.close()
})

verifies.each(['decision.capacity.by_runner'])([
  [1, 1],
  [99, 3],
])('a machine that wants %i jobs at once gets %i', async (slots, running) => {
  const { a } = openBeds({ RUNNER_QUEUE_MAX: 1 })
  const { runner } = a.runners.connect('rnr_1', slots)
  await startSome(a, running + 1)
  expect(runner.started).toHaveLength(running)
  await expect(a.start({ on: ['rnr_1'] })).rejects.toMatchObject({
    code: 'long_job_capacity',
    message: `the runner runs ${running} jobs and lets 1 wait`,
  })
  await a.close()
})

verifies(
  'decision.runner.none_async',
  'a runner that went before the job was bound leaves no row',
  async () => {
    const { a } = openBeds()
    const link = a.runners.connect('rnr_1')
    a.runners.cut('rnr_1')
    const order = { plugin: { ...PLUGIN, link } }
    await expect(a.start(order)).rejects.toMatchObject({ code: 'agent_unavailable' })
    expect((await a.jobs.list(me, { limit: 9 })).jobs).toEqual([])
    await a.close()
  },
)
