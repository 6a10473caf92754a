import {
  type Behaviour,
  behaviours,
  type FakeProvider,
  openFakeProvider,
} from '@svc/conformance/testing/fake-provider'
import { verifies } from '@svc/conformance/verifies'
import { type Limits, limits } from '@svc/contract'
import { systemClock } from '@svc/node'
import { type FrozenClock, frozenClock } from '@svc/node/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, expect } from 'vitest'
import { openMetrics } from '../../kernel/metrics.ts'
import { readModels } from '../../models/providers/model-settings.ts'
import { openModels } from '../../models/providers/models.ts'
import { openFakeTool } from '../../testing/fake-tool.ts'
import { kindsOf, openRunBed, textOf } from '../../testing/runs.ts'
import type { RunArgs } from './runs.ts'

const KEY = 'sk-secret-9'
let provider: FakeProvider
beforeAll(async () => {
  provider = await openFakeProvider()
})
afterAll(() => provider.close())

/** The room asks for a clock that can be moved; this one moves by itself. */
const systemClockForBeds: FrozenClock = { ...systemClock, timers: 0, advance: async () => {} }

/** A room whose model is the fake provider's, by its protocol. */
function open(changed: Partial<Limits> = {}, clock = systemClockForBeds) {
  const table = { ...limits, MODEL_RETRY_MS: 1, ...changed }
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
  const environment = { SVC_LLM_BASE_URL: provider.url, SVC_LLM_API_KEY: KEY, SVC_LLM_MODEL: 'fake-1' }
  const parts = { clock, limits: table, log, metrics: openMetrics({ processMetrics: false }) }
  const models = openModels(readModels({}, environment, parts), parts)
  const tool = openFakeTool()
  const bed = openRunBed({ limits: table, models, tools: [tool], log, clock })
  return { ...bed, tool, lines }
}

interface Play {
  readonly changed?: Partial<Limits>
  readonly args?: Partial<RunArgs>
  /** Time stands still until the provider has the request and said `text`; then so much goes by. */
  readonly passes?: { readonly text: string; readonly ms: number }
}

async function play(
  behaviour: Behaviour | readonly Behaviour[],
  { changed = {}, args = {}, passes }: Play = {},
) {
  const at = provider.requests.length
  provider.behave(...[behaviour].flat())
  const clock = passes ? frozenClock() : systemClockForBeds
  const bed = open(changed, clock)
  const session = await bed.session()
  const { stream_id } = await bed.start(session, args)
  if (passes) {
    await provider.arrived(at)
    for await (const { payload } of bed.runs.frames(stream_id, 0)) if (payload.includes(passes.text)) break
    await clock.advance(passes.ms)
  }
  const frames = await bed.ended(stream_id)
  const used = await bed.used()
  const history = await bed.history(session)
  await bed.close()
  const requests = provider.requests.slice(at)
  // However the run ended, none of its requests is left open.
  await Promise.all(requests.map(({ ended }) => ended))
  return { frames, used, history, requests, lines: bed.lines.join(''), tool: bed.tool }
}

const start = ['queued', 'started', 'run_meta']
const charged = 102
const failing: readonly [
  what: string,
  Behaviour,
  code: string,
  text: string,
  requests: number,
  tokens: number,
  change?: Partial<Limits>,
  passMs?: number,
][] = [
  ['hangs before its head', behaviours.hangs, 'internal_error', '', 1, charged, { MODEL_IDLE_MS: 60 }, 60],
  ['hangs midway', behaviours.hangsMidway, 'internal_error', 'Hello', 1, charged, { MODEL_IDLE_MS: 60 }, 60],
  ['drips for ever', behaviours.drips, 'internal_error', 'x', 1, charged, { MODEL_TOTAL_MS: 120 }, 120],
  ['breaks off at once', behaviours.cutsAtOnce, 'internal_error', '', 3, charged],
  ['breaks off in the middle', behaviours.cutsMidway, 'internal_error', 'Hello', 1, charged],
  ['closes early', behaviours.endsEarly, 'internal_error', 'Hello', 1, charged],
  ['takes no more (429)', behaviours.refuses(429), 'internal_error', '', 3, 0],
  ['fails (500)', behaviours.refuses(500), 'internal_error', '', 3, 0],
  ['refuses the key (401)', behaviours.refuses(401), 'internal_error', '', 1, 0],
  ['refuses the request (400)', behaviours.refuses(400), 'invalid_arg', '', 1, 0],
  ['answers with a page', behaviours.answersInHtml, 'internal_error', '', 1, charged],
  ['garbles', behaviours.garbles, 'internal_error', '', 1, charged],
  ['fails inside its stream', behaviours.failsInside, 'internal_error', '', 3, 0],
  [
    'sends no end',
    behaviours.floods,
    'result_too_large',
    '',
    1,
    charged,
    { MODEL_RESPONSE_MAX_BYTES: 200_000 },
  ],
  ['says 10 MB at once', behaviours.answers(['x'.repeat(10_000_000)]), 'result_too_large', '', 1, charged],
]
verifies.each([
  'decision.run.failures',
  'stream.error',
  'run.end',
  'wall.model_keys',
  'design.run.logged_once',
])(failing)(
  'a provider that %s ends its run with the code of that failure, and end',
  async (_what, behaviour, code, text, requests, tokens, changed, passMs) => {
    const passes = passMs === undefined ? undefined : { text, ms: passMs }
    const played = await play(behaviour, { ...(changed && { changed }), ...(passes && { passes }) })
    const kinds = kindsOf(played.frames)
    expect(kinds.slice(0, 3)).toEqual(start)
    expect(kinds.slice(-2)).toEqual([`error ${code}`, 'end'])
    expect(textOf(played.frames).slice(0, text.length || undefined)).toBe(text)
    expect(played.requests).toHaveLength(requests)
    expect(played.used).toMatchObject({ runs: 1, tokens })
    const kept = played.history.find(({ role }) => role === 'assistant')
    expect(kept?.aborted ?? false).toBe(text !== '')
    expect(played.lines.match(/"level":[456]0.*/g)).toEqual([expect.stringContaining('"a model failed"')])
    expect(JSON.stringify(played.frames) + played.lines).not.toContain(KEY)
  },
)

verifies(['decision.run.failures', 'llm.stream'], 'a provider that is not there costs nothing', async () => {
  const gone = await openFakeProvider()
  const { url } = gone
  await gone.close()
  const environment = { SVC_LLM_BASE_URL: url, SVC_LLM_MODEL: 'fake-1' }
  const table = { ...limits, MODEL_RETRY_MS: 1 }
  const parts = {
    clock: systemClock,
    limits: table,
    log: pino({ level: 'silent' }),
    metrics: openMetrics({ processMetrics: false }),
  }
  const bed = openRunBed({ models: openModels(readModels({}, environment, parts), parts) })
  const { stream_id } = await bed.start(await bed.session())
  expect(kindsOf(await bed.ended(stream_id)).slice(-2)).toEqual(['error internal_error', 'end'])
  expect(await bed.used()).toMatchObject({ runs: 0, tokens: 0 })
  await bed.close()
})

verifies.each('design.run.error_details')([
  ['broken', behaviours.refuses(500), { retriable: true, status: 500 }],
  ['refused', behaviours.refuses(400), { retriable: false, status: 400 }],
  ['too long', behaviours.answers(['x'.repeat(10_000_000)]), { retriable: false, max: expect.any(Number) }],
])('what is told of a model whose answer is %s is ours alone', async (_what, behaviour, details) => {
  const { frames } = await play(behaviour)
  expect(frames.at(-2)).toEqual({
    event: 'error',
    errorCode: expect.any(String),
    message: expect.any(String),
    details: { ...details, reason: expect.any(String), hint: expect.any(String) },
  })
})

verifies(['stream.usage', 'decision.quota.steps'], 'usage that comes after the finish counts', async () => {
  const { frames, used } = await play(behaviours.answers(['Hello', ' there']))
  expect(kindsOf(frames)).toEqual([...start, 'content', 'content', 'task_complete', 'end'])
  expect(frames.at(-2)).toMatchObject({
    data: { choices: [{ delta: { task_complete: { token_usage: { total_tokens: 18 } } } }] },
  })
  expect(used).toMatchObject({ runs: 1, tokens: 18 })
})

verifies(
  'design.run.tools',
  'a provider that calls tools for ever is asked as often as the run may',
  async () => {
    const { frames, requests, tool } = await play(behaviours.calls('probe', '{"q":"x"}'), {
      args: { recursion_limit: 4 },
    })
    expect([requests.length, tool.calls.length]).toEqual([4, 4])
    expect(kindsOf(frames).slice(-2)).toEqual(['task_complete', 'end'])
    expect(JSON.stringify(requests.at(-1)?.body.messages)).toContain('tool_call_id')
  },
)

verifies.each('decision.run.tool_errors')([
  ['an unknown tool', 'nope', '{}', 'not_found'],
  ['arguments that are not JSON', 'probe', '{"q": ', 'invalid_arg'],
])('%s is told to the provider, which goes on', async (_what, name, input, code) => {
  const { frames, requests, tool } = await play([behaviours.calls(name, input), behaviours.answers()])
  expect(tool.calls).toEqual([])
  expect(requests).toHaveLength(2)
  expect(frames.find((frame) => kindsOf([frame])[0] === 'tool_result')).toMatchObject({
    data: { choices: [{ delta: { tool_result: { error: { code } } } }] },
  })
  expect(textOf(frames)).toBe('Hello there')
})

verifies(
  ['run.cancel.running', 'decision.cancel.checkpoint'],
  'a cancel closes the request of the provider',
  async () => {
    const at = provider.requests.length
    provider.behave(behaviours.drips)
    const bed = open()
    const session = await bed.session()
    const { run_id, stream_id } = await bed.start(session)
    const request = await provider.arrived(at)
    for await (const { payload } of bed.runs.frames(stream_id, 0)) if (payload.includes('"content"')) break
    expect(await bed.cancel(session, run_id)).toBe(true)
    expect(await request.ended).toBe(true)
    expect(kindsOf(await bed.ended(stream_id)).slice(-2)).toEqual(['task_cancelled', 'end'])
    await bed.close()
  },
)
