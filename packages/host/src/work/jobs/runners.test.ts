import { verifies } from '@svc/conformance/verifies'
import { limits as table } from '@svc/contract'
import { expect, it } from 'vitest'
import { type JobBed, openJobBed, settled } from '../../testing/jobs.ts'
import { heldBy, openBeds, startedOn, startSome, statesOf } from '../../testing/jobs-hosts.ts'
import { answered } from '../../testing/jobs-runner.ts'

const me = { userId: 'ada', appId: 'app_1' }
const gone = { state: 'failed', error: { code: 'agent_unavailable', details: { retriable: true } } }

verifies(
  ['decision.runner.job_lost', 'decision.runner.job_waits', 'decision.runner.job_fenced'],
  'where a link is lost its running jobs fail at once, what it says later is not heard, and the others wait',
  async () => {
    const { a } = openBeds()
    const here = await a.start()
    const link = a.runners.connect('rnr_1')
    const ids = await startSome(a, 4)
    const [first = ''] = ids
    link.runner.of(first).tell(1)
    await settled()
    a.runners.cut('rnr_1')
    await settled()
    expect(await statesOf(a, ids)).toEqual(['failed', 'failed', 'failed', 'queued'])
    const ended = await a.jobs.get(me, first, { after: 0, limit: 9 })
    expect(ended).toMatchObject({ ...gone, lastSeq: 1 })
    expect(link.runner.of(first).signal.aborted).toBe(true)
    link.runner.of(first).tell(2)
    link.runner.of(first).end(answered({ late: true }))
    await a.jobs.sweep()
    expect(await a.jobs.get(me, first, { after: 0, limit: 9 })).toEqual(ended)
    expect((await a.row(here)).state).toBe('running')
    await a.close()
  },
)

verifies(
  ['decision.runner.job_back', 'decision.runner.job_fenced'],
  'what waited starts when its runner is back, before what came since, and what ran is not started again',
  async () => {
    const { a } = openBeds({ JOBS_RUNNING_PER_RUNNER: 1, RUNNER_QUEUE_MAX: 4 })
    const old = a.runners.connect('rnr_1')
    const [lost = '', second = '', third = ''] = await startSome(a, 3)
    a.runners.cut('rnr_1')
    await settled()
    const again = a.runners.connect('rnr_1')
    const late = await a.start({ on: ['rnr_1'] })
    await settled()
    old.runner.of(lost).end(answered({ late: true }))
    for (const id of [second, third, late]) {
      again.runner.of(id).end(answered({ id }))
      await settled()
    }
    expect(startedOn(a)).toEqual([
      ['rnr_1', lost],
      ['rnr_1', second, third, late],
    ])
    expect(await statesOf(a, [lost, second, third, late])).toEqual(['failed', ...Array(3).fill('succeeded')])
    expect(a.eventsOf(third)).toEqual(['queued:0', 'running:0', 'succeeded:0'])
    await a.close()
  },
)

verifies('decision.runner.job_fenced', 'a link that displaces another ends what ran on it', async () => {
  const { a } = openBeds({ JOBS_RUNNING_PER_RUNNER: 1, RUNNER_QUEUE_MAX: 4 })
  a.runners.connect('rnr_1')
  const ids = await startSome(a, 2)
  a.runners.connect('rnr_1')
  await settled()
  expect(await statesOf(a, ids)).toEqual(['failed', 'running'])
  await a.close()
})

verifies(
  ['decision.runner.job_back', 'decision.runner.job_waits'],
  'where the runner comes to another host, that one takes up what waited for it, and the first starts none',
  async () => {
    const { a, b } = openBeds({ JOBS_RUNNING_PER_RUNNER: 1, RUNNER_QUEUE_MAX: 4 })
    const old = a.runners.connect('rnr_1')
    const [first = '', second = '', third = ''] = await startSome(a, 3)
    // Half open: the first host has not noticed yet.
    const link = b.runners.connect('rnr_1')
    await settled()
    expect(link.runner.started.map(({ jobId }) => jobId)).toEqual([second])
    old.runner.of(first).end(answered({}))
    await settled()
    expect(old.runner.started).toHaveLength(1)
    expect((await a.row(first)).state).toBe('succeeded')
    a.runners.cut('rnr_1')
    link.runner.of(second).end(answered({ by: 'b' }))
    await settled()
    link.runner.of(third).end(answered({ by: 'b' }))
    await settled()
    expect(await statesOf(b, [second, third])).toEqual(['succeeded', 'succeeded'])
    expect([await heldBy(a), await heldBy(b)]).toEqual([0, 0])
    await a.close()
    await b.close()
  },
)

verifies(
  'decision.runner.job_back',
  'what a host accepted on a link that was already dead is found by the host that has the runner',
  async () => {
    const { a, b, clock } = openBeds({ JOBS_RUNNING_PER_RUNNER: 1, RUNNER_QUEUE_MAX: 4 })
    a.runners.connect('rnr_1')
    const link = b.runners.connect('rnr_1')
    await settled()
    const [lost = '', waits = ''] = await startSome(a, 2)
    a.runners.cut('rnr_1')
    await settled()
    expect(await statesOf(b, [lost, waits])).toEqual(['failed', 'queued'])
    await b.jobs.sweep()
    expect(link.runner.started).toHaveLength(0)
    await clock.advance(table.JOB_TAKE_UP_MS)
    await b.jobs.sweep()
    await settled()
    expect(link.runner.started.map(({ jobId }) => jobId)).toEqual([waits])
    await a.close()
    await b.close()
  },
)

verifies(
  ['decision.runner.job_back', 'decision.host_crash.waiting', 'decision.host_crash.running'],
  'a host that dies with a link loses what ran on it; what waited goes where the runner connects next',
  async () => {
    const { a, b, clock } = openBeds({ JOBS_RUNNING_PER_RUNNER: 1, HOST_BEAT_MS: 2 ** 40 })
    a.runners.connect('rnr_1')
    const [runs = '', waits = ''] = await startSome(a, 2)
    await clock.advance(table.HOST_DEAD_MS)
    await b.jobs.sweep()
    expect(await statesOf(b, [runs, waits])).toEqual(['failed', 'queued'])
    const link = b.runners.connect('rnr_1')
    await settled()
    expect(link.runner.started.map(({ jobId }) => jobId)).toEqual([waits])
    await a.close()
    await b.close()
  },
)

verifies(
  ['decision.runner.job_waits', 'decision.cancel.wins'],
  'a job that waits for its runner is cancelled, or reaches its deadline, and is not started later',
  async () => {
    const { a, b, clock } = openBeds({ JOBS_RUNNING_PER_RUNNER: 0, RUNNER_QUEUE_MAX: 5 })
    a.runners.connect('rnr_1')
    const [cancelled = '', there = '', expired = ''] = await startSome(a, 3)
    a.runners.cut('rnr_1')
    await settled()
    expect(await a.jobs.cancel(me, cancelled, 'enough')).toMatchObject({ cancelled: true })
    expect(await b.jobs.cancel(me, there)).toMatchObject({ cancelled: true })
    await clock.advance(60_000)
    await b.jobs.sweep()
    const link = b.runners.connect('rnr_1')
    await settled()
    expect(await statesOf(a, [cancelled, there, expired])).toEqual(['cancelled', 'cancelled', 'expired'])
    expect((await a.row(expired)).error).toMatchObject({ code: 'tool_timeout' })
    expect(link.runner.started).toEqual([])
    expect(a.eventsOf(cancelled)).toEqual(['queued:0', 'cancelled:0'])
    await a.close()
    await b.close()
  },
)

verifies.each(['decision.runner.job_revoked'])([
  ['is connected', () => {}],
  ['was away', (bed: JobBed) => bed.runners.cut('rnr_1')],
])('where a runner is revoked that %s, all that is bound to it fails', async (_what, before) => {
  const { a, b, machines } = openBeds({ JOBS_RUNNING_PER_RUNNER: 1 })
  a.runners.connect('rnr_1')
  const ids = await startSome(a, 2)
  const here = await a.start()
  before(a)
  await settled()
  machines.revoke('rnr_1')
  await b.jobs.reconcile('ada', 'rnr_1')
  expect(await statesOf(a, [...ids, here])).toEqual(['failed', 'failed', 'running'])
  expect((await a.row(ids[1] ?? '')).error).toEqual({
    code: 'agent_unavailable',
    message: 'the runner of this job was revoked',
    details: { retriable: true },
  })
  await settled()
  expect(await heldBy(a)).toBe(1)
  await a.close()
  await b.close()
})

verifies(
  'decision.runner.job_revoked',
  'a job that was being accepted while its runner was revoked fails too',
  async () => {
    const { a, machines } = openBeds({ JOBS_RUNNING_PER_RUNNER: 0 })
    a.runners.connect('rnr_1')
    await a.start()
    const { insert } = a.store
    a.store.insert = async (...args) => {
      machines.revoke('rnr_1')
      await a.jobs.reconcile('ada', 'rnr_1')
      return insert(...args)
    }
    const id = await a.start({ on: ['rnr_1'] })
    await a.jobs.sweep()
    expect((await a.row(id)).error).toMatchObject({ message: 'the runner of this job was revoked' })
    await a.close()
  },
)

it('a plugin whose version is gone fails the job before it starts', async () => {
  const bed = openJobBed({ hasPlugin: false })
  const id = await bed.start()
  await settled()
  expect((await bed.row(id)).error).toMatchObject({
    code: 'agent_unavailable',
    message: 'no runner has the plugin "build" at version 1 any more',
  })
  expect(bed.eventsOf(id)).toEqual(['queued:0', 'failed:0'])
  await bed.close()
})

it('a store that is away when a runner comes back is asked again', async () => {
  const { a } = openBeds({ JOBS_RUNNING_PER_RUNNER: 1, RUNNER_QUEUE_MAX: 4 })
  a.runners.connect('rnr_1')
  const [, waits = ''] = await startSome(a, 2)
  a.runners.cut('rnr_1')
  await settled()
  const { scan } = a.store
  a.store.scan = async () => {
    throw new Error('the store is away')
  }
  const link = a.runners.connect('rnr_1')
  await settled()
  a.store.scan = scan
  expect(link.runner.started).toEqual([])
  await a.jobs.sweep()
  await settled()
  expect(link.runner.started.map(({ jobId }) => jobId)).toEqual([waits])
  await a.close()
})
