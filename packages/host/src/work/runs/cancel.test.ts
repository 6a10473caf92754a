import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect } from 'vitest'
import { openFakeTool } from '../../testing/fake-tool.ts'
import { sayingModel, scriptedModel } from '../../testing/run-model.ts'
import { kindsOf, openRunBed, type RunBed, settled, textOf } from '../../testing/runs.ts'
import { sessions as sessionRows } from '../sessions/session-row.ts'

/** A run of a fresh session, in each state of the table. */
const states = {
  async queued(bed: RunBed, session: string) {
    await bed.start(session)
    return bed.start(session)
  },
  async running(bed: RunBed, session: string) {
    const started = await bed.start(session)
    await settled(6)
    bed.model.open()[0]?.say('so far')
    await settled(2)
    return started
  },
  async finished(bed: RunBed, session: string) {
    const started = await states.running(bed, session)
    bed.model.open()[0]?.finish()
    await bed.ended(started.stream_id)
    return started
  },
  async failed(bed: RunBed, session: string) {
    const started = await states.running(bed, session)
    bed.model.open()[0]?.fail(new Error('broken'))
    await bed.ended(started.stream_id)
    return started
  },
  async cancelled(bed: RunBed, session: string) {
    const started = await states.running(bed, session)
    await bed.cancel(session, started.run_id)
    await bed.ended(started.stream_id)
    return started
  },
} as const

const soFar = ['queued', 'started', 'run_meta', 'content']
const rows = [
  ['queued', 'cancel', 'cancelled', ['queued', 'task_cancelled', 'end']],
  ['running', 'cancel', 'cancelled', [...soFar, 'task_cancelled', 'end']],
  ['finished', 'cancel', 'finished', [...soFar, 'task_complete', 'end']],
  ['failed', 'cancel', 'failed', [...soFar, 'error internal_error', 'end']],
  ['cancelled', 'cancel', 'cancelled', [...soFar, 'task_cancelled', 'end']],
  ['queued', 'delete', 'cancelled', ['queued', 'task_cancelled', 'end']],
  ['running', 'delete', 'cancelled', [...soFar, 'task_cancelled', 'end']],
  ['finished', 'delete', 'finished', [...soFar, 'task_complete', 'end']],
  ['failed', 'delete', 'failed', [...soFar, 'error internal_error', 'end']],
  ['cancelled', 'delete', 'cancelled', [...soFar, 'task_cancelled', 'end']],
  ['queued', 'cap', 'cancelled', ['queued', 'error APP_SESSION_EXPIRED', 'end']],
  ['running', 'cap', 'cancelled', [...soFar, 'error APP_SESSION_EXPIRED', 'end']],
  ['finished', 'cap', 'finished', [...soFar, 'task_complete', 'end']],
  ['queued', 'close', 'failed', ['queued', 'error internal_error', 'end']],
  ['running', 'close', 'failed', [...soFar, 'error internal_error', 'end']],
  ['finished', 'close', 'finished', [...soFar, 'task_complete', 'end']],
] as const

const events = {
  cancel: async (bed: RunBed, session: string, runId: string) => bed.cancel(session, runId),
  delete: async (bed: RunBed, session: string) =>
    bed.sessions.revoke({ userId: 'ada', appId: 'app_1' }, session),
  cap: async (bed: RunBed) => bed.clock.advance(LIFETIME_MS),
  close: async (bed: RunBed) => bed.close(),
} as const
const LIFETIME_MS = 20_000

verifies.each([
  'run.cancel.queued',
  'run.cancel.running',
  'run.end',
  'stream.cancelled',
  'stream.end',
  'decision.cancel.run',
  'decision.run.hard_cap',
  'session.delete.cancels',
  'host.close',
])(rows)('%s + %s is %s, with its frames and one end', async (from, event, state, kinds) => {
  const bed = openRunBed({ limits: { AGENT_MAX_LIFETIME_MS: LIFETIME_MS } })
  const session = await bed.session()
  const { run_id, stream_id } = await states[from](bed, session)
  await settled(2)
  await events[event](bed, session, run_id)
  await settled(6)
  expect(kindsOf(await bed.frames(stream_id)).filter((kind) => kind !== 'keepalive')).toEqual(kinds)
  expect(await bed.row(session, run_id)).toMatchObject({ state, stream_closed: true })
  await bed.close()
  expect(bed.clock.timers).toBe(0)
})

verifies.each('run.cancel.result')([
  ['queued', [true, false]],
  ['running', [true, false]],
  ['finished', [false, false]],
  ['failed', [false, false]],
  ['cancelled', [false, false]],
] as const)('two cancels of a %s run answer %j', async (from, answers) => {
  const bed = openRunBed()
  const session = await bed.session()
  const { run_id } = await states[from](bed, session)
  expect([await bed.cancel(session, run_id), await bed.cancel(session, run_id)]).toEqual(answers)
  await bed.close()
})

verifies.each('run.cancel.result')([
  ['an unknown run', (s: string) => ({ userId: 'ada', appId: 'app_1', sessionUuid: s }), 'x'],
  ['a run of somebody else', (s: string) => ({ userId: 'bob', appId: 'app_1', sessionUuid: s }), ''],
  ['a run of another app', (s: string) => ({ userId: 'ada', appId: 'app_2', sessionUuid: s }), ''],
  ['a run of another session', () => ({ userId: 'ada', appId: 'app_1', sessionUuid: 'aps_2' }), ''],
  ['a run taken for a stream', () => ({ userId: 'ada', appId: 'app_1', sessionUuid: null }), ''],
] as const)('a cancel of %s is false and changes nothing', async (_what, owner, id) => {
  const bed = openRunBed()
  const session = await bed.session()
  const { run_id } = await states.running(bed, session)
  expect(await bed.runs.cancel(owner(session), id || run_id)).toBe(false)
  expect(await bed.row(session, run_id)).toMatchObject({ state: 'running' })
  await bed.close()
})

verifies(
  ['run.cancel.running', 'decision.cancel.partial'],
  'a cancel closes the request, and what was said stays in the history, cut off',
  async () => {
    const bed = openRunBed()
    const session = await bed.session()
    const { run_id, stream_id } = await states.running(bed, session)
    const [talk] = bed.model.talks
    await bed.cancel(session, run_id)
    expect(talk?.signal.aborted).toBe(true)
    expect(textOf(await bed.ended(stream_id))).toBe('so far')
    expect(await bed.history(session)).toEqual([
      { role: 'user', content: 'hello', run_id },
      { role: 'assistant', content: 'so far', run_id, aborted: true },
    ])
    await bed.close()
  },
)

verifies(
  ['decision.cancel.checkpoint', 'run.cancel.running'],
  'a run that another host cancelled is told; where the word is lost it looks each second, and each 30 events',
  async () => {
    const a = openRunBed()
    const bus = { ...a.bus, publish: async () => {} }
    const b = openRunBed({ store: a.store, bus, clock: a.clock })
    const told = openRunBed({ store: a.store, bus: a.bus, clock: a.clock })
    const cancelBy = async (other: RunBed, until: () => unknown) => {
      const session = await a.session()
      const { run_id } = await states.running(a, session)
      const talk = a.model.open()[0]
      expect(await other.cancel(session, run_id)).toBe(true)
      await settled(2)
      const before = talk?.signal.aborted
      await until()
      await settled(2)
      return [before, talk?.signal.aborted]
    }
    expect(await cancelBy(told, () => {})).toEqual([true, true])
    expect(await cancelBy(b, () => a.clock.advance(limits.RUN_CHECK_MS))).toEqual([false, true])
    const words = Array.from({ length: limits.RUN_CHECK_EVENTS }, () => 'x')
    expect(await cancelBy(b, () => a.model.open()[0]?.say(...words))).toEqual([false, true])
    for (const bed of [a, b, told]) await bed.close()
  },
)

verifies(
  ['decision.cancel.checkpoint', 'decision.cancel.partial'],
  'a cancel reaches a tool under way, and its call stands in the history with the end of the run as its result',
  async () => {
    const tool = openFakeTool('probe', (_args, signal) => {
      const { promise, reject } = Promise.withResolvers<never>()
      signal.addEventListener('abort', () => reject(signal.reason))
      return promise
    })
    const bed = openRunBed({
      tools: [tool],
      model: scriptedModel((talk) => {
        talk.call('probe', '{"q":"x"}', 'c1')
        talk.finish('tool-calls')
      }),
    })
    const session = await bed.session()
    const { run_id, stream_id } = await bed.start(session)
    await settled(6)
    expect(tool.calls).toHaveLength(1)
    await bed.cancel(session, run_id)
    expect(kindsOf(await bed.ended(stream_id)).slice(3)).toEqual(['tool_calls', 'task_cancelled', 'end'])
    expect(tool.calls[0]?.signal.aborted).toBe(true)
    expect((await bed.history(session)).slice(1)).toEqual([
      {
        role: 'assistant',
        run_id,
        aborted: true,
        content: [{ type: 'tool_call', tool_call_id: 'c1', name: 'probe', arguments: '{"q":"x"}' }],
      },
      {
        role: 'tool',
        run_id,
        content: [
          {
            type: 'tool_result',
            tool_call_id: 'c1',
            name: 'probe',
            error: { code: 'cancelled', message: expect.any(String) },
          },
        ],
      },
    ])
    await bed.close()
  },
)

verifies(
  'decision.cancel.charge',
  'a run that never asked its model costs nothing; one that was cut what it took',
  async () => {
    const bed = openRunBed()
    const session = await bed.session()
    const running = await bed.start(session)
    const queued = await bed.start(session)
    await settled(6)
    await bed.cancel(session, queued.run_id)
    await bed.ended(queued.stream_id)
    expect(await bed.used()).toMatchObject({ runs: 1 })
    bed.model.open()[0]?.say('x'.repeat(40))
    await settled(2)
    await bed.cancel(session, running.run_id)
    await bed.ended(running.stream_id)
    expect(await bed.used()).toMatchObject({ runs: 1, tokens: 2 + 10 })
    await bed.close()
  },
)

verifies(
  'session.delete.cancels',
  'a run that nobody told of the end of its session finds it at its next step',
  async () => {
    const bed = openRunBed({ tools: [openFakeTool()] })
    const session = await bed.session()
    const { stream_id, run_id } = await bed.start(session)
    await settled(6)
    const record = await bed.store.get(sessionRows, session)
    if (record)
      await bed.store.swap(sessionRows, session, record.revision, { ...record.row, state: 'revoked' })
    bed.model.open()[0]?.call('probe', '{}')
    bed.model.open()[0]?.finish('tool-calls')
    const kinds = kindsOf(await bed.ended(stream_id))
    expect(kinds.slice(3)).toEqual(['tool_calls', 'tool_result', 'task_cancelled', 'end'])
    expect(bed.model.talks).toHaveLength(1)
    await settled(2)
    expect(await bed.row(session, run_id)).toMatchObject({ state: 'cancelled', stream_closed: true })
    await bed.close()
  },
)

verifies('design.run.total', 'a run that goes on for too long fails', async () => {
  const bed = openRunBed({ limits: { RUN_TOTAL_MS: 5_000 } })
  const session = await bed.session()
  const { stream_id } = await states.running(bed, session)
  await bed.clock.advance(5_000)
  expect((await bed.ended(stream_id)).at(-2)).toEqual({
    event: 'error',
    errorCode: 'internal_error',
    message: 'the run did not end in 5000 ms',
  })
  await bed.close()
})

verifies(
  'design.run.frames_cap',
  'a run whose frames would hold too much fails, and what fits stays',
  async () => {
    const bed = openRunBed({ limits: { RUN_FRAMES_MAX_BYTES: 3_000 } })
    const { stream_id } = await bed.start(await bed.session())
    await settled(6)
    const [talk] = bed.model.talks
    for (let at = 0; at < 100; at += 1) talk?.say('word ')
    const frames = await bed.ended(stream_id)
    expect(kindsOf(frames).slice(-2)).toEqual(['error result_too_large', 'end'])
    expect(JSON.stringify(frames).length).toBeLessThan(3_500)
    expect(talk?.signal.aborted).toBe(true)
    await bed.close()
  },
)

verifies(
  ['decision.cancel.checkpoint', 'run.cancel.running'],
  'a model that says all it has without a pause is stopped all the same',
  async () => {
    const all = Array.from({ length: 5_000 }, () => 'x')
    const bed = openRunBed({ model: sayingModel(...all) })
    const session = await bed.session()
    const { run_id, stream_id } = await bed.start(session)
    while (textOf(await bed.frames(stream_id)) === '') await settled()
    expect(await bed.cancel(session, run_id)).toBe(true)
    const text = textOf(await bed.ended(stream_id))
    expect(text.length).toBeLessThan(1_000)
    expect((await bed.history(session)).at(-1)).toMatchObject({ content: text, aborted: true })
    await bed.close()
  },
)
