import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Run } from './run.ts'
import type { RunEvents } from './run-events.ts'
import { settled } from './testing/call.ts'
import { endOf, readAll, runIdOf, runningBed, sse, text } from './testing/session.ts'

const report = vi.fn()
beforeEach(() => vi.stubGlobal('reportError', report))
afterEach(() => {
  vi.unstubAllGlobals()
  report.mockReset()
})

const call = {
  index: 0,
  id: 'c1',
  type: 'function',
  function: { name: 'time_now', arguments: '{}' },
} as const
const result = { tool_call_id: 'c1', name: 'time_now', output: { now: 1 } }
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const meta = { event: 'run_meta', run_id: runIdOf(1), model: 'svc-dev', granted_tools: [] } as const
const whole = [
  { event: 'queued' },
  { event: 'started' },
  meta,
  sse({ role: 'assistant', content: '' }),
  text('Hel'),
  sse({ tool_calls: [call] }, null),
  { event: 'keepalive' },
  sse({ tool_result: result }),
  text('lo'),
  sse({}, 'stop'),
  sse({ task_complete: { token_usage: usage } }),
  endOf(1),
] as const
const failed = { event: 'error', errorCode: 'APP_QUOTA_EXCEEDED', message: 'the day is used up' } as const

const types = ['text', 'tool_call', 'tool_result', 'frame', 'error', 'end', 'lost'] as const

/** Everything that the listeners of a run are told, in order. */
function hearAll(run: Run) {
  const heard: [type: string, news: unknown][] = []
  for (const type of types)
    run.on(type as keyof RunEvents, (news: unknown) => {
      if (type !== 'frame') heard.push([type, news])
    })
  return heard
}

verifies(
  ['sdk.session.handle', 'design.sdk.run', 'design.sdk.run.order'],
  'reads the text, the frames and the end of a run, each from the beginning',
  async () => {
    const { bed, run } = await runningBed()
    const before = bed.left()
    const early = [readAll(run.text()), readAll(run.frames())]
    const heard = hearAll(run)
    await settled()
    bed.tell(1, ...whole)
    const late = [readAll(run.text()), readAll(run.frames())]
    expect(await Promise.all([...early, ...late])).toEqual([['Hel', 'lo'], whole, ['Hel', 'lo'], whole])
    const end = {
      text: 'Hello',
      aborted: false,
      finishReason: 'stop',
      usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
      error: undefined,
    }
    expect(await run.final()).toEqual(end)
    expect(heard).toEqual([
      ['text', 'Hel'],
      ['tool_call', call],
      ['tool_result', result],
      ['text', 'lo'],
      ['end', end],
    ])
    const again = hearAll(run)
    await settled()
    expect(again).toEqual(heard)
    expect([run.lastSeq, bed.attached(), bed.left()]).toEqual([12, [], before - 2])
  },
)

verifies('sdk.stream.done', 'ends after done, and hears nothing more of the stream', async () => {
  const { bed, run } = await runningBed()
  bed.tell(1, ...whole)
  bed.send(1, 13, text('late'))
  bed.send(1, 5)
  expect((await run.final()).text).toBe('Hello')
  expect(await readAll(run.frames())).toHaveLength(12)
})

verifies('design.sdk.run.partial', 'keeps what a cancelled run had said', async () => {
  const { bed, run } = await runningBed()
  const reading = readAll(run.text())
  const heard = hearAll(run)
  bed.tell(1, { event: 'queued' }, text('Hel'))
  await settled()
  expect(await run.cancel()).toEqual({ cancelled: true })
  expect(await run.final()).toMatchObject({ text: 'Hel', aborted: true, usage: undefined, error: undefined })
  expect(await reading).toEqual(['Hel'])
  expect(heard.map(([type]) => type)).toEqual(['text', 'end'])
  expect(await run.cancel()).toEqual({ cancelled: false })
})

verifies(
  'design.sdk.run.partial',
  'rejects with the code of the error frame, behind all of the text',
  async () => {
    const { bed, run } = await runningBed()
    const heard = hearAll(run)
    bed.tell(1, text('Hel'), failed, endOf(1))
    const error = await run.final().catch((thrown) => thrown)
    expect(error).toMatchObject({
      isHostRpcError: true,
      code: 'APP_QUOTA_EXCEEDED',
      name: 'APP_QUOTA_EXCEEDED',
      message: 'the day is used up',
      details: { runId: runIdOf(1), text: 'Hel' },
    })
    expect(await readAll(run.text())).toEqual(['Hel', error])
    expect(await readAll(run.frames())).toEqual([text('Hel'), failed, endOf(1)])
    expect(heard).toEqual([
      ['text', 'Hel'],
      ['error', error],
      ['end', { text: 'Hel', aborted: false, finishReason: null, usage: undefined, error }],
    ])
  },
)

verifies(
  'design.sdk.run.lost',
  'tells a run whose frames cannot be read any more from one that has ended',
  async () => {
    const { bed, session, run } = await runningBed()
    const heard = hearAll(run)
    bed.tell(1, text('Hel'), failed)
    await settled()
    bed.ended.abort()
    const error = await run.final().catch((thrown) => thrown)
    expect(error).toMatchObject({
      code: 'bridge_reset',
      details: { runId: runIdOf(1), text: 'Hel', lost: true },
    })
    expect([await readAll(run.text()), await readAll(run.frames())]).toEqual([
      ['Hel', error],
      [text('Hel'), failed, error],
    ])
    expect(heard).toEqual([
      ['text', 'Hel'],
      ['lost', error],
    ])
    const late = hearAll(await session.run('late'))
    await settled()
    expect(late).toMatchObject([['lost', { code: 'bridge_reset' }]])
  },
)

verifies('design.sdk.run.details', 'has the details of an error frame in its error', async () => {
  const { bed, run } = await runningBed()
  const details = { hint: 'Wait.', retriable: true, resets_at: '2026-01-02T00:00:00.000Z', max: 3 }
  bed.tell(1, { ...failed, details }, endOf(1))
  await expect(run.final()).rejects.toMatchObject({
    hint: 'Wait.',
    retryable: true,
    details: { ...details, runId: runIdOf(1), text: '' },
  })
})

it.each(['internal_error', 'invalid_arg'])('has no name of its own for %s', async (errorCode) => {
  const { bed, run } = await runningBed()
  bed.tell(1, { event: 'error', errorCode, message: 'm' }, endOf(1))
  await expect(run.final()).rejects.toMatchObject({ code: errorCode, name: 'HostRpcError' })
})

verifies('design.sdk.run', 'leaves the run alone when a reader leaves', async () => {
  const { bed, run } = await runningBed()
  bed.tell(1, text('a'), text('b'))
  for await (const piece of run.text()) if (piece === 'a') break
  const frames = run.frames()[Symbol.asyncIterator]()
  await frames.next()
  await frames.next()
  const waits = frames.next()
  await frames.return?.()
  expect(await waits).toEqual({ value: undefined, done: true })
  bed.tell(1, text('c'), endOf(1))
  expect(await run.final()).toMatchObject({ text: 'abc', aborted: false })
  expect(bed.count('session.cancel')).toBe(0)
})

it('stops telling a listener that asks for it, and survives one that throws', async () => {
  const { bed, run } = await runningBed()
  const heard: string[] = []
  run.on('text', () => {
    throw new Error('mine')
  })
  const stop = run.on('text', (piece) => {
    heard.push(piece)
    if (piece === 'b') stop()
  })
  bed.tell(1, text('a'), text('b'))
  await settled()
  bed.tell(1, text('c'), endOf(1))
  expect((await run.final()).text).toBe('abc')
  await settled()
  expect([heard, report.mock.calls.length]).toEqual([['a', 'b'], 3])
})

it('asks nobody to await it', async () => {
  const { run } = await runningBed()
  expect(await run).toBe(run)
})

it('tells why text of a run is missing', async () => {
  const { bed, run } = await runningBed()
  const details = { stop_reason: 'content_filter' } as const
  bed.tell(1, text('Hel'), sse({ task_complete: { token_usage: usage, details } }, 'stop'), endOf(1))
  expect(await run.final()).toMatchObject({ text: 'Hel', details, error: undefined })
})
