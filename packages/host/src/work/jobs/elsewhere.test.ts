import { verifies } from '@svc/conformance/verifies'
import { limits as table } from '@svc/contract'
import { afterEach, beforeEach, expect } from 'vitest'
import { PLUGIN, settled } from '../../testing/jobs.ts'
import { heldBy, openBeds, startedOn, startSome, statesOf } from '../../testing/jobs-hosts.ts'
import { answered } from '../../testing/jobs-runner.ts'

const me = { userId: 'ada', appId: 'app_1' }
let beds: ReturnType<typeof openBeds>
beforeEach(() => {
  beds = openBeds({ JOBS_RUNNING_PER_RUNNER: 2, RUNNER_QUEUE_MAX: 1 })
})
afterEach(async () => {
  await beds.a.close()
  await beds.b.close()
})

verifies(
  ['machine.elsewhere.jobs', 'decision.job.one_end'],
  'a job that one host accepts runs at the host of its machine, and both tell of it',
  async () => {
    const { a, b } = beds
    const { runner } = a.runners.connect('rnr_1')
    const [id = ''] = await startSome(b, 1)
    expect((await b.row(id)).owner).not.toEqual(await b.parts.hosts.me())
    expect([await heldBy(a), await heldBy(b)]).toEqual([1, 0])
    runner.of(id).tell({ n: 1 })
    await settled()
    const shown = { after: 0, limit: 9 }
    expect(await b.jobs.get(me, id, shown)).toMatchObject({ state: 'running', lastSeq: 1 })
    runner.of(id).end(answered({ by: 'a' }))
    await settled()
    for (const bed of [a, b])
      expect(await bed.jobs.get(me, id, shown)).toMatchObject({ state: 'succeeded', result: { by: 'a' } })
    expect(b.eventsOf(id)).toEqual(['queued:0', 'running:0', 'progress:1', 'succeeded:1'])
    expect(startedOn(b)).toEqual([])
  },
)

verifies.each(['machine.elsewhere.jobs', 'decision.cancel.wins'])([
  ['runs', 1],
  ['waits', 3],
])('a cancel at the host that does not hold it ends a job that %s, with its reason', async (_what, count) => {
  const { a, b } = beds
  const { runner } = a.runners.connect('rnr_1')
  const ids = await startSome(b, count)
  const last = ids.at(-1) ?? ''
  expect(await b.jobs.cancel(me, last, 'enough')).toMatchObject({ state: 'cancelled', cancelled: true })
  await settled()
  expect(await heldBy(a)).toBe(count - 1)
  const [job] = runner.started.filter(({ jobId }) => jobId === last)
  expect(job?.signal.reason).toBe(count === 1 ? 'enough' : undefined)
  expect(b.eventsOf(last).at(-1)).toBe('cancelled:0')
})

verifies('machine.elsewhere.caps', 'the places of a machine are the same for all hosts', async () => {
  const { a, b } = beds
  const { runner } = a.runners.connect('rnr_1', 1)
  const [first = '', second = ''] = [...(await startSome(b, 1)), ...(await startSome(a, 1))]
  for (const bed of [a, b])
    await expect(bed.start({ on: ['rnr_1'] })).rejects.toMatchObject({ code: 'long_job_capacity' })
  expect(await statesOf(b, [first, second])).toEqual(['running', 'queued'])
  runner.of(first).end(answered({}))
  await settled()
  expect(runner.started.map(({ jobId }) => jobId)).toEqual([first, second])
})

verifies('machine.elsewhere.jobs', 'a host that was not told of a job finds it', async () => {
  const { a, b, clock } = beds
  const { runner } = a.runners.connect('rnr_1')
  a.runners.onTakeUp = () => {}
  const [id = ''] = await startSome(b, 1)
  expect(runner.started).toEqual([])
  await clock.advance(table.JOB_TAKE_UP_MS)
  await a.jobs.sweep()
  await settled()
  expect(runner.started.map(({ jobId }) => jobId)).toEqual([id])
})

verifies(
  ['machine.elsewhere.jobs', 'decision.runner.job_back'],
  'a machine that comes to the host that accepted runs there what waited for it',
  async () => {
    const { a, b } = beds
    a.runners.connect('rnr_1')
    a.runners.onTakeUp = () => {}
    const [id = ''] = await startSome(b, 1)
    const { runner } = b.runners.connect('rnr_1')
    await settled()
    a.runners.cut('rnr_1')
    await a.jobs.reconcile('ada', 'rnr_1')
    runner.of(id).end(answered({ by: 'b' }))
    await settled()
    expect([startedOn(a), await statesOf(a, [id])]).toEqual([[['rnr_1']], ['succeeded']])
  },
)

verifies('machine.elsewhere.jobs', 'no host takes a job for a machine that none has', async () => {
  const { a, b } = beds
  a.runners.connect('rnr_1')
  const [link] = b.runners.online('ada')
  if (!link) throw new Error('the machine is not online')
  a.runners.cut('rnr_1')
  const plugin = { ...PLUGIN, link }
  await expect(b.start({ plugin })).rejects.toMatchObject({ code: 'agent_unavailable' })
})

verifies(
  'machine.elsewhere.jobs',
  'a job goes to the machine with the fewest jobs, whoever has it',
  async () => {
    const { a, b } = beds
    for (const bed of [a, b]) bed.runners.connect(bed === a ? 'rnr_1' : 'rnr_2')
    for (let n = 0; n < 4; n += 1) await startSome(b, 1, ['rnr_1', 'rnr_2'])
    expect([startedOn(a), startedOn(b)]).toEqual([
      [['rnr_1', expect.any(String), expect.any(String)]],
      [['rnr_2', expect.any(String), expect.any(String)]],
    ])
  },
)
