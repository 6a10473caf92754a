import { verifies } from '@svc/conformance/verifies'
import { type ErrorCode, methods } from '@svc/contract'
import { job } from '@svc/contract/states'
import { expect, it } from 'vitest'
import { openJobBed, settled } from '../../testing/jobs.ts'
import { answered } from '../../testing/jobs-runner.ts'
import { cancelled, type Ending, expired, failed } from './ending.ts'
import { finish } from './finish.ts'
import { type JobRow, jobs as jobRows } from './job-row.ts'
import type { JobParts } from './jobs.ts'

const me = { userId: 'ada', appId: 'app_1' }
const all = { after: 0, limit: 500 }

verifies(
  [
    'job.run',
    'job.success.stored',
    'job.create.event',
    'job.snapshot.invoke_id',
    'event.tool_job',
    'job.event.shape',
    'job.event.no_result',
    'decision.tool_job.events',
    'decision.tool_job.windows',
    'design.events.jobs',
  ],
  'a job is queued, runs, tells how far it is, and succeeds; the windows of its app hear of each step',
  async () => {
    const bed = openJobBed()
    const windows = [await bed.window(), await bed.window()]
    await bed.window('ada', 'app_2')
    await bed.window('bob', 'app_1')
    const id = await bed.start({ args: { a: 1 } })
    await settled()
    const running = bed.runner.of(id)
    expect(running).toMatchObject({ jobId: id, tool: 'all', args: { a: 1 }, maxResultBytes: 262_144 })
    running.tell({ done: 1 })
    await settled()
    running.tell({ done: 2 })
    running.end(answered({ built: true }))
    await settled()
    const steps = ['queued:0', 'running:0', 'progress:1', 'progress:2', 'succeeded:2']
    expect(bed.eventsOf(id)).toEqual(steps)
    const [first] = bed.events
    expect(first).toEqual({
      job_id: id,
      tool_id: 'tool-local-build-1',
      state: 'queued',
      seq: 0,
      event: 'queued',
      terminal: false,
      windowUuid: windows[0],
    })
    for (const windowUuid of [...windows, null])
      expect(bed.events.filter((event) => event.windowUuid === windowUuid)).toHaveLength(steps.length)
    expect(bed.events).toHaveLength(3 * steps.length)
    await bed.close()
    expect(bed.clock.timers).toBe(0)
  },
)

verifies(
  ['job.snapshot.fields', 'job.snapshot.result', 'job.snapshot.progress', 'event.tool_job.loss'],
  'getJob tells all that is known, at each step of the way',
  async () => {
    const bed = openJobBed()
    const start = bed.clock.now()
    const id = await bed.start({ clientTag: 'nightly', timeoutMs: 120_000 })
    await settled()
    const read = () => bed.jobs.get(me, id, { after: 1, limit: 500 })
    bed.runner.of(id).tell({ done: 1 })
    bed.runner.of(id).tell('two', 'note')
    bed.runner.of(id).onDropped(3)
    await settled()
    const running = {
      jobId: id,
      tool_id: 'tool-local-build-1',
      method: 'all',
      state: 'running',
      clientTag: 'nightly',
      progress: [{ seq: 2, type: 'note', data: 'two' }],
      lastSeq: 2,
      progressDropped: 3,
      lastHeartbeatAt: '2026-01-01T00:00:00.000Z',
      createdAt: '2026-01-01T00:00:00.000Z',
      startedAt: '2026-01-01T00:00:00.000Z',
      endedAt: null,
      deadlineMs: start + 120_000,
    }
    expect(await read()).toEqual(running)
    await bed.clock.advance(5_000)
    bed.runner.of(id).onHeartbeat()
    await settled()
    const beaten = { ...running, lastHeartbeatAt: '2026-01-01T00:00:05.000Z' }
    expect(await read()).toEqual(beaten)
    await bed.clock.advance(1_000)
    bed.runner.of(id).end(answered([1, 2]))
    await settled()
    const ended = { state: 'succeeded', result: { value: [1, 2] }, endedAt: '2026-01-01T00:00:06.000Z' }
    expect(await read()).toEqual({ ...beaten, ...ended })
    expect((await bed.row(id)).args).toBeNull()
    await bed.close()
  },
)

verifies(
  ['event.tool_job.no_heartbeat', 'job.snapshot.fields'],
  'a job that waits shows no sign of life, and signs of life are not events',
  async () => {
    const bed = openJobBed({ limits: { JOBS_RUNNING_PER_RUNNER: 1 } })
    const [runs, waits] = [await bed.start(), await bed.start()]
    await settled()
    const told = bed.events.length
    bed.runner.of(runs).onHeartbeat()
    await settled()
    expect(bed.events).toHaveLength(told)
    expect(await bed.jobs.get(me, waits, all)).toMatchObject({
      state: 'queued',
      lastHeartbeatAt: null,
      startedAt: null,
      lastSeq: 0,
      progress: [],
    })
    await bed.close()
  },
)

verifies.each([
  'job.failure.error',
  'job.snapshot.error',
  'job.result.cap',
  'error.tool_timeout.job',
  'job.expire.error',
])([
  ['tool_failed', { error: 'no' }, 'failed', { error: 'no' }],
  ['plug_error', { exit_code: 1, signal: null }, 'failed', { exit_code: 1, signal: null }],
  ['plug_unavailable', undefined, 'failed', undefined],
  ['agent_unavailable', undefined, 'failed', { retriable: true }],
  [
    'result_too_large',
    { size: 262_145, max: 262_144, retriable: false },
    'failed',
    { size: 262_145, max: 262_144, retriable: false },
  ],
  [
    'frame_too_large',
    { frame_bytes: 9, max_frame_bytes: 8 },
    'failed',
    { frame_bytes: 9, max_frame_bytes: 8 },
  ],
  ['tool_timeout', undefined, 'expired', undefined],
] as const)('%s %j of the runner makes the job %s', async (code, details, state, kept) => {
  const bed = openJobBed()
  const id = await bed.start()
  await settled()
  bed.runner.of(id).end({ ok: false, code, message: 'why', ...(details && { details }) })
  await settled()
  const { error, result, ...rest } = await bed.jobs.get(me, id, all)
  expect([rest.state, result]).toEqual([state, undefined])
  const message = state === 'expired' ? 'all did not end in 1800000 ms.' : 'why'
  expect(error).toEqual({ code, message, ...(kept && { details: kept }) })
  expect(bed.eventsOf(id).at(-1)).toBe(`${state}:0`)
  await bed.close()
})

verifies.each(['job.snapshot.fields', 'job.snapshot.result', 'job.snapshot.error'])([
  ['succeeded', answered({ 'a"b': '\u2028', __proto__: null, n: [1e21, 'é'] })],
  ['failed', { ok: false, code: 'tool_failed', message: 'no', details: { error: '"' } } as const],
])('a snapshot of a job that %s is what the table of methods says', async (state, outcome) => {
  const bed = openJobBed()
  const id = await bed.start({ clientTag: '"' })
  await settled()
  bed.runner.of(id).tell({ 'x"': '}' }, 'a"b')
  bed.runner.of(id).end(outcome)
  await settled()
  const read = await bed.jobs.get(me, id, all)
  expect(methods.tools.getJob.result.strict().parse(read)).toEqual(read)
  expect(read).toMatchObject({
    state,
    clientTag: '"',
    progress: [{ seq: 1, type: 'a"b', data: { 'x"': '}' } }],
    ...(outcome.ok && { result: JSON.parse(outcome.json) }),
  })
  await bed.close()
})

const limits = { JOB_DEADLINE_MAX_MS: 86_400_000 }
/** Every event by which a job is ended. */
const endings: readonly ((row: JobRow) => Ending)[] = [
  () => ({ event: 'succeed', result: '{}', error: null, reason: '' }),
  () => failed('tool_failed' satisfies ErrorCode, 'no'),
  () => cancelled(),
  (row) => expired(row, limits),
]
const cases = job.states.flatMap((state) => endings.map((ending) => [state, ending] as const))

/** Jobs that no host holds, over the store of a test bed. */
async function unheld(state: JobRow['state']) {
  const bed = openJobBed()
  const id = await bed.start()
  await settled()
  await bed.close()
  const record = await bed.store.get(jobRows, id)
  if (!record) throw new Error('it is gone')
  const row = { ...record.row, state, ended_at: job.active.has(state) ? null : 5, error: null, result: null }
  await bed.store.swap(jobRows, id, record.revision, row)
  bed.events.length = 0
  const activeJobs = { get: () => undefined, release: () => {} }
  const parts = { ...bed.parts, activeJobs } as unknown as JobParts
  return { bed, id, row, parts }
}

it.each(cases)('the table alone says whether a job that is %s is ended', async (state, endingFor) => {
  const { bed, id, row, parts } = await unheld(state)
  const ending = endingFor(row)
  const { won, record } = await finish(parts, id, ending)
  const to = job.next(state, ending.event)
  expect(won).toBe(to !== null)
  expect(record?.row.state).toBe(to ?? state)
  expect(bed.events.map(({ event, terminal }) => [event, terminal])).toEqual(to === null ? [] : [[to, true]])
  if (to === null) expect((await bed.row(id)).ended_at).toBe(row.ended_at)
})
