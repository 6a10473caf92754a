import { verifies } from '@svc/conformance/verifies'
import type { ErrorBody, JobState } from '@svc/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { JobWaitOptions } from './await-job.ts'
import type { HostRpcError } from './errors.ts'
import type { Progress } from './follow-job.ts'
import { refusal, settled } from './testing/call.ts'
import { idOf, jobBed } from './testing/job.ts'

const args = { tool_id: 'builder', method: 'build', args: { a: 1 }, timeoutMs: 120_000 }
const report = vi.fn()
beforeEach(() => vi.stubGlobal('reportError', report))
afterEach(() => {
  vi.unstubAllGlobals()
  report.mockReset()
})

/** A job that is waited for, and every settlement of the wait. */
function waiting(options?: JobWaitOptions, bed = jobBed()) {
  const settlements: unknown[] = []
  const wait = bed.tools.invokeAsyncAwait(args, options)
  wait.then(
    (result) => settlements.push(result),
    (error: HostRpcError) => settlements.push(error),
  )
  return { bed, settlements, left: () => bed.left(...(options?.signal ? [options.signal] : [])) }
}

const failed = (state: JobState, error: ErrorBody) => [state, error] as const

verifies('sdk.invokeAsyncAwait.resolves', 'answers what the plugin answered, once', async () => {
  const { bed, settlements, left } = waiting()
  await settled()
  expect(bed.seen).toEqual([{ method: 'invokeAsync', args }])
  bed.end(1, 'succeeded', { result: { built: true } })
  bed.event(1)
  bed.event(1)
  await settled()
  expect(settlements).toEqual([{ built: true }])
  expect([left(), bed.count('getJob')]).toEqual([0, 1])
})

verifies.each('sdk.invokeAsyncAwait.codes')([
  failed('failed', { code: 'tool_failed', message: 'no such file', details: { at: 3 } }),
  failed('failed', { code: 'plug_error', message: 'it ended with 9' }),
  failed('failed', { code: 'result_too_large', message: 'too large' }),
  failed('failed', {
    code: 'agent_unavailable',
    message: 'the runner is gone',
    details: { retriable: true },
  }),
  failed('cancelled', { code: 'cancelled', message: 'by the user' }),
  failed('expired', { code: 'tool_timeout', message: 'its deadline' }),
])('rejects for a job that %s with %j', async (state, error) => {
  const { bed, settlements, left } = waiting()
  await settled()
  bed.end(1, state, { error })
  bed.event(1)
  await settled()
  expect(settlements).toHaveLength(1)
  expect(settlements[0]).toMatchObject({
    ...error,
    isHostRpcError: true,
    retryable: error.details?.retriable === true,
    details: { ...error.details, jobId: idOf(1), state },
  })
  expect(left()).toBe(0)
})

verifies.each('sdk.invokeAsyncAwait.codes')([
  ['job_quota_exceeded', 'invokeAsync'],
  ['long_job_capacity', 'invokeAsync'],
  ['permission_denied', 'invokeAsync'],
  ['host_unreachable', 'invokeAsync'],
  ['not_implemented', 'invokeAsync'],
  ['job_not_found', 'getJob'],
  ['not_found', 'getJob'],
  ['invalid_token', 'getJob'],
  ['not_hosted', 'getJob'],
])('rejects with %s of %s', async (code, refused) => {
  const bed = jobBed()
  const answer = bed.answer
  bed.answer = (method, given) => (method === refused ? refusal(code) : answer(method, given))
  const { settlements, left } = waiting({}, bed)
  await bed.pass(1_000)
  expect(settlements).toMatchObject([{ code }])
  expect([left(), bed.count('cancelJob')]).toEqual([0, 0])
})

verifies('design.sdk.supports', 'hints at what an old host lacks', async () => {
  const bed = jobBed()
  bed.answer = () => refusal('not_implemented')
  const { settlements } = waiting({}, bed)
  await settled()
  expect(settlements).toMatchObject([
    { code: 'not_implemented', hint: expect.stringContaining('svc.supports') },
  ])
})

verifies(
  'sdk.invokeAsyncAwait.polls',
  'reads the job after 1 s, and up to 5 s apart, without any event',
  async () => {
    const { bed, settlements, left } = waiting()
    const reads: number[] = []
    for (let second = 1; second <= 20; second++) {
      const before = bed.count('getJob')
      await bed.pass(1_000)
      if (bed.count('getJob') > before) reads.push(second)
    }
    expect(reads).toEqual([1, 2, 4, 8, 13, 18])
    bed.end(1, 'succeeded', { result: { late: true } })
    await bed.pass(5_000)
    expect([settlements, left()]).toEqual([[{ late: true }], 0])
  },
)

verifies('decision.wait.early', 'keeps the event of a job whose id it does not know yet', async () => {
  const bed = jobBed()
  bed.holding = 'invokeAsync'
  const { settlements } = waiting({}, bed)
  bed.end(1, 'succeeded', { result: { early: true } })
  bed.event(1)
  bed.event(1, { job_id: idOf(2) })
  await settled()
  expect(bed.count('getJob')).toBe(0)
  await bed.release()
  expect(settlements).toEqual([{ early: true }])
})

it('reads again at once for an event that came while it read', async () => {
  const bed = jobBed()
  const { settlements } = waiting({}, bed)
  await bed.pass(900)
  bed.holding = 'getJob'
  await bed.pass(100)
  bed.end(1, 'succeeded', { result: { late: true } })
  bed.event(1)
  await bed.release()
  expect([settlements, bed.count('getJob')]).toEqual([[{ late: true }], 2])
})

it('tells nothing twice where the host does', async () => {
  const heard: number[] = []
  const bed = jobBed()
  waiting({ onProgress: ({ seq }) => heard.push(seq) }, bed)
  const { answer } = bed
  bed.answer = (method, given) => answer(method, { ...given, sinceSeq: 0 })
  await settled()
  for (let n = 1; n <= 3; n++) {
    bed.progress(1)
    await bed.pass(5_000)
  }
  expect(heard).toEqual([1, 2, 3])
})

it('reads nothing for events of others, or without news', async () => {
  const { bed } = waiting({ onProgress: () => undefined })
  await settled()
  bed.answer('invokeAsync', args)
  bed.progress(2)
  bed.event(2)
  bed.event(1)
  bed.hub.emit('title_changed', {})
  await bed.pass(900)
  expect(bed.count('getJob')).toBe(0)
})

it('reads no progress where nobody hears it', async () => {
  const { bed } = waiting()
  await settled()
  bed.progress(1)
  bed.event(1)
  await bed.pass(900)
  expect(bed.count('getJob')).toBe(0)
  await bed.pass(100)
  expect(bed.seen.at(-1)?.args).toEqual({ jobId: idOf(1), sinceSeq: Number.MAX_SAFE_INTEGER })
})

verifies('sdk.invokeAsyncAwait.progress', 'hands over all progress, each once and in order', async () => {
  const heard: Progress[] = []
  const { bed, settlements } = waiting({ onProgress: (item) => heard.push(item) })
  await settled()
  for (let n = 1; n <= 30; n++) {
    bed.progress(1, n)
    bed.event(1)
    bed.event(1)
    await bed.pass(10)
  }
  bed.end(1, 'succeeded', { result: {} })
  bed.event(1)
  await settled()
  expect(heard.map(({ data }) => data)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1))
  expect(heard.every(({ missed, type }) => missed === 0 && type === 'progress')).toBe(true)
  expect(settlements).toEqual([{}])
  // Ten times a second at most, however many events come.
  expect(bed.count('getJob')).toBeLessThanOrEqual(5)
})

verifies(
  'decision.wait.missed',
  'tells how much the host let go of, and reads on where one answer does not hold all',
  async () => {
    const heard: [number, number][] = []
    const { bed, settlements } = waiting({ onProgress: ({ seq, missed }) => heard.push([seq, missed]) })
    await settled()
    bed.pageItems = 100
    bed.progress(1)
    await bed.pass(1_000)
    for (let n = 2; n <= 1_000; n++) bed.progress(1)
    bed.end(1, 'succeeded', { result: {} })
    bed.event(1)
    await settled()
    expect(heard.map(([seq]) => seq)).toEqual([1, ...Array.from({ length: 500 }, (_, at) => 501 + at)])
    expect(heard.filter(([, missed]) => missed > 0)).toEqual([[501, 499]])
    expect(settlements).toEqual([{}])
  },
)

it('survives an onProgress that throws, and reports it', async () => {
  const mine = new Error('mine')
  let heard = 0
  const { bed, settlements } = waiting({
    onProgress: () => {
      heard++
      throw mine
    },
  })
  await settled()
  bed.progress(1)
  bed.progress(1)
  bed.end(1, 'succeeded', { result: {} })
  bed.event(1)
  await settled()
  expect([heard, settlements, report.mock.calls]).toEqual([2, [{}], [[mine], [mine]]])
})

verifies.each('sdk.invokeAsyncAwait.abort')([
  ['before the start', 'start', undefined, []],
  ['before the reply', 'invokeAsync', undefined, [idOf(1)]],
  ['while it waits', '', idOf(1), [idOf(1)]],
  ['while it reads', 'getJob', idOf(1), [idOf(1)]],
] as const)('rejects with cancelled at an abort %s, and cancels the job', async (_, at, known, cancelled) => {
  const stop = new AbortController()
  if (at === 'start') stop.abort()
  const bed = jobBed()
  bed.holding = at
  const { settlements, left } = waiting({ signal: stop.signal }, bed)
  await bed.pass(at === 'getJob' ? 1_500 : 0)
  stop.abort('whatever')
  await settled()
  const message = at === 'start' ? /so it was not$/ : /which cancels the job$/
  expect(settlements).toMatchObject([{ code: 'cancelled', message: expect.stringMatching(message) }])
  expect((settlements[0] as HostRpcError).details.jobId).toBe(known)
  expect(left()).toBe(0)
  await bed.release()
  expect(bed.seen.filter(({ method }) => method === 'cancelJob').map(({ args }) => args.jobId)).toEqual(
    cancelled,
  )
  expect([settlements.length, left(), report.mock.calls]).toEqual([1, 0, []])
})

it('stops handing over progress at an abort inside onProgress', async () => {
  const stop = new AbortController()
  const heard: number[] = []
  const { bed, settlements, left } = waiting({
    signal: stop.signal,
    onProgress({ seq }) {
      heard.push(seq)
      if (seq === 2) stop.abort()
    },
  })
  await settled()
  for (let n = 0; n < 3; n++) bed.progress(1)
  bed.end(1, 'succeeded', { result: {} })
  bed.event(1)
  await settled()
  expect([heard, left()]).toEqual([[1, 2], 0])
  expect(settlements).toMatchObject([{ code: 'cancelled' }])
})

it('cancels nothing that has ended, and nothing that was refused', async () => {
  const ended = new AbortController()
  const one = waiting({ signal: ended.signal })
  await settled()
  one.bed.end(1, 'succeeded', { result: {} })
  one.bed.event(1)
  await settled()
  ended.abort()

  const refused = new AbortController()
  const bed = jobBed()
  bed.answer = () => refusal('job_quota_exceeded')
  bed.holding = 'invokeAsync'
  const two = waiting({ signal: refused.signal }, bed)
  await settled()
  refused.abort()
  await bed.release()
  expect([one.settlements, one.bed.count('cancelJob'), bed.count('cancelJob')]).toEqual([[{}], 0, 0])
  expect([two.settlements, report.mock.calls]).toMatchObject([[{ code: 'cancelled' }], []])
})

it('reports a cancel that did not reach the host', async () => {
  const stop = new AbortController()
  const { bed } = waiting({ signal: stop.signal })
  await settled()
  bed.answer = () => refusal('host_unreachable', { retriable: true })
  stop.abort()
  await settled()
  expect(report.mock.calls).toMatchObject([[{ code: 'host_unreachable' }]])
})

verifies.each('sdk.invokeAsyncAwait.wait_timeout')([
  ['after the reply', '', idOf(1)],
  ['before it', 'invokeAsync', undefined],
  ['while it reads', 'getJob', idOf(1)],
])('gives the wait up at its own time %s, and leaves the job alone', async (_, held, jobId) => {
  const bed = jobBed()
  bed.holding = held
  const { settlements, left } = waiting({ waitTimeoutMs: 2_500 }, bed)
  await bed.pass(2_400)
  expect(settlements).toEqual([])
  await bed.pass(100)
  expect(settlements).toMatchObject([
    {
      code: 'wait_timeout',
      message: 'the job has not ended within 2500 ms',
      details: { jobId },
      hint: expect.stringContaining('may still run'),
    },
  ])
  await bed.release()
  expect([left(), bed.count('cancelJob'), bed.active(1)]).toEqual([0, 0, true])
})

it.each([
  ['waitTimeoutMs', -1, 'a number of ms, at least 0, got -1'],
  ['waitTimeoutMs', Number.NaN, 'a number of ms, at least 0, got NaN'],
  ['waitTimeoutMs', '5', 'a number of ms, at least 0, got "5"'],
  ['onProgress', 'log', 'a function, got "log"'],
  ['signal', new AbortController(), 'an AbortSignal, got [object AbortController]'],
])('refuses %s of %j before it starts a job', async (name, value, rule) => {
  const bed = jobBed()
  const { settlements } = waiting({ [name]: value }, bed)
  await settled()
  expect(settlements).toMatchObject([{ code: 'invalid_arg', message: `${name} must be ${rule}` }])
  expect([bed.seen, bed.left()]).toEqual([[], 0])
})

it.each([
  ['what its reason says', 'the wrong folder', { reason: 'the wrong folder' }],
  ['as much of it as a host takes', 'x'.repeat(300), { reason: 'x'.repeat(200) }],
  ['nothing that is not text', new Error('mine'), { reason: 'cancelled' }],
])('cancels for the reason of the abort: %s', async (_, reason, told) => {
  const stop = new AbortController()
  const { bed } = waiting({ signal: stop.signal })
  await settled()
  stop.abort(reason)
  await settled()
  expect(bed.seen.at(-1)).toEqual({ method: 'cancelJob', args: { jobId: idOf(1), ...told } })
})

verifies.each('decision.wait.outlives_host')([
  ['host_unreachable', { retriable: true }],
  ['rate_limited', { retriable: true }],
  ['bridge_reset', undefined],
  ['timeout', undefined],
  ['internal_error', undefined],
])('waits on while reading it fails with %s, as long as the job can live', async (code, details) => {
  const heard: number[] = []
  const { bed, settlements, left } = waiting({ onProgress: ({ seq }) => heard.push(seq) })
  const answer = bed.answer
  await bed.pass(1_000)
  bed.answer = () => refusal(code, details)
  await bed.pass(60_000)
  bed.answer = answer
  bed.progress(1)
  await bed.pass(5_000)
  expect([settlements, heard]).toEqual([[], [1]])
  bed.answer = () => refusal(code, details)
  await bed.pass(1_810_000)
  expect(settlements).toMatchObject([{ code }])
  expect(left()).toBe(0)
})

verifies('decision.wait.reset', 'reads the job at once after a reset, not before it has a name', async () => {
  const bed = jobBed()
  bed.holding = 'invokeAsync'
  const { settlements } = waiting({}, bed)
  bed.hub.emit('reset')
  await settled()
  expect(bed.count('getJob')).toBe(0)
  await bed.release()
  bed.end(1, 'succeeded', { result: { lost: 'event' } })
  bed.hub.emit('reset')
  await settled()
  expect(settlements).toEqual([{ lost: 'event' }])
})

verifies.each('design.sdk.settles')([
  ['before the start', 'start'],
  ['before the reply', 'invokeAsync'],
  ['while it waits', ''],
])('ends with the document %s', async (_, held) => {
  const bed = jobBed()
  bed.holding = held
  if (held === 'start') bed.ended.abort()
  const { settlements, left } = waiting({ waitTimeoutMs: 60_000 }, bed)
  await settled()
  bed.ended.abort()
  await settled()
  expect(settlements).toMatchObject([{ code: 'bridge_reset' }])
  await bed.release()
  expect([left(), bed.count('cancelJob')]).toEqual([0, 0])
})
