import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { openJobBed, settled } from '../../testing/jobs.ts'
import { answered } from '../../testing/jobs-runner.ts'

const me = { userId: 'ada', appId: 'app_1' }
const all = { after: 0, limit: 500 }

verifies.each([
  'job.cancel.immediate',
  'job.cancel.reason',
  'job.snapshot.error',
  'tools.cancelJob.result',
  'decision.cancel.wins',
])([
  ['running', 'enough', 'enough'],
  ['running', undefined, 'cancelled'],
  ['queued', 'enough', 'enough'],
] as const)('a job that is %s is cancelled with the reason %j', async (state, reason, message) => {
  const bed = openJobBed({ limits: { JOBS_RUNNING_PER_RUNNER: state === 'running' ? 1 : 0 } })
  const id = await bed.start()
  await settled()
  expect((await bed.row(id)).state).toBe(state)
  const aborted = new Promise((done) => {
    const [running] = bed.runner.started
    running?.signal.addEventListener('abort', () => done(running.signal.reason))
  })
  expect(await bed.jobs.cancel(me, id, reason)).toEqual({ jobId: id, state: 'cancelled', cancelled: true })
  expect(await bed.jobs.get(me, id, all)).toMatchObject({
    state: 'cancelled',
    error: { code: 'cancelled', message },
  })
  if (state === 'running') {
    expect(await aborted).toBe(message)
    bed.runner.of(id).end(answered({ late: true }))
  }
  await settled()
  const after = await bed.jobs.get(me, id, all)
  expect([after.state, after.result]).toEqual(['cancelled', undefined])
  expect(bed.eventsOf(id).filter((event) => event.startsWith('cancelled'))).toEqual(['cancelled:0'])
  await bed.close()
})

verifies(
  ['decision.cancel.loses', 'decision.cancel.twice', 'job.cancel.terminal'],
  'of a job that has ended a cancel only tells how',
  async () => {
    const bed = openJobBed()
    const [done, gone] = [await bed.start(), await bed.start()]
    await settled()
    bed.runner.of(done).end(answered({}))
    await settled()
    const told = { jobId: done, state: 'succeeded', cancelled: false }
    expect(await bed.jobs.cancel(me, done)).toEqual(told)
    const both = await Promise.all([bed.jobs.cancel(me, gone, 'one'), bed.jobs.cancel(me, gone, 'two')])
    expect(both.map(({ cancelled }) => cancelled)).toEqual([true, false])
    expect(both.map(({ state }) => state)).toEqual(['cancelled', 'cancelled'])
    expect((await bed.jobs.get(me, gone, all)).error?.message).toBe('one')
    await bed.close()
  },
)

verifies.each(['job.foreign', 'decision.job.owner', 'error.job_not_found', 'job.cancel.terminal'])([
  ['another user', { userId: 'bob', appId: 'app_1' }, 'its id'],
  ['another app of the user', { userId: 'ada', appId: 'app_2' }, 'its id'],
  ['an id that never was', me, `tjob_${'0'.repeat(32)}`],
  ['a text that is not an id', me, 'tjob_\u0000'],
  ['an inherited name', me, 'constructor'],
])('%s finds no job', async (_who, whose, jobId) => {
  const bed = openJobBed()
  const id = await bed.start()
  const asked = jobId === 'its id' ? id : jobId
  const refusal = { code: 'job_not_found', message: 'There is no such job for this caller.' }
  await expect(bed.jobs.get(whose, asked, all)).rejects.toMatchObject(refusal)
  await expect(bed.jobs.cancel(whose, asked)).rejects.toMatchObject(refusal)
  expect((await bed.row(id)).state).toBe('running')
  await bed.close()
})

verifies('decision.tool_job.last', 'nothing is told after the terminal event', async () => {
  const bed = openJobBed()
  const id = await bed.start()
  await settled()
  const running = bed.runner.of(id)
  running.tell(1)
  const ending = bed.jobs.cancel(me, id)
  running.tell(2)
  await ending
  running.tell(3)
  running.onDropped(1)
  running.onHeartbeat()
  await settled()
  expect(bed.eventsOf(id)).toEqual(['queued:0', 'running:0', 'progress:1', 'progress:2', 'cancelled:2'])
  expect(await bed.jobs.get(me, id, all)).toMatchObject({ lastSeq: 2, progressDropped: 0 })
  await bed.close()
})
