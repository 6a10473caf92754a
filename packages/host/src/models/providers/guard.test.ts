import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { verifies } from '@svc/conformance/verifies'
import { type Limits, limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { pino } from 'pino'
import { expect } from 'vitest'
import { openMetrics } from '../../kernel/metrics.ts'
import { guarded } from './guard.ts'

type Part = LanguageModelV4StreamPart
type Attempt = (signal: AbortSignal) => ReadableStream<Part> | Promise<ReadableStream<Part>>

const say = (delta: string): Part => ({ type: 'text-delta', id: '0', delta })
const preludes: Part[] = [
  { type: 'stream-start', warnings: [] },
  { type: 'response-metadata', modelId: 'm-1' },
  { type: 'text-start', id: '0' },
]
const none = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined }
const finish = (unified: 'stop' | 'error' | 'interrupted' = 'stop'): Part => ({
  type: 'finish',
  finishReason: { unified, raw: undefined },
  usage: { inputTokens: none, outputTokens: { total: 1, text: 1, reasoning: undefined } },
})
const failed = (statusCode: number) => Object.assign(new Error('sk-secret'), { statusCode })

/** A stream of these parts, which then ends, or stays open and silent. */
const gives =
  (parts: readonly Part[], then: 'ends' | 'hangs' = 'ends'): Attempt =>
  () =>
    new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part)
        if (then === 'ends') controller.close()
      },
    })
const answers = gives([...preludes, say('Hello'), finish()])
const throws =
  (error: unknown): Attempt =>
  () =>
    Promise.reject(error)
const neverComes: Attempt = () => new Promise(() => {})

/** A guarded model whose requests go as listed, the last one again and again. */
function open(attempts: readonly Attempt[], change: Partial<Limits> = {}) {
  const clock = frozenClock()
  const signals: AbortSignal[] = []
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'm',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('never called')),
    async doStream({ abortSignal }) {
      if (!abortSignal) throw new Error('a request without a signal')
      signals.push(abortSignal)
      const attempt = attempts[Math.min(signals.length, attempts.length) - 1] ?? answers
      return { stream: await attempt(abortSignal) }
    },
  }
  const services = {
    clock,
    limits: { ...limits, ...change },
    log: pino({ level: 'silent' }),
    metrics: openMetrics({ processMetrics: false }),
  }
  const asked = guarded('m', model, services)
  const prompt: [] = []
  return {
    clock,
    signals,
    metrics: services.metrics,
    /** What a whole request comes to: its text, or what it was refused with. */
    async ask(abortSignal?: AbortSignal) {
      const options = { prompt, ...(abortSignal && { abortSignal }) }
      const outcome = asked.doGenerate(options).then(
        ({ content }) => content.map((part) => (part.type === 'text' ? part.text : part.type)).join(''),
        (error) => error.details?.reason ?? error,
      )
      return outcome
    },
    stream: (abortSignal?: AbortSignal) => asked.doStream({ prompt, ...(abortSignal && { abortSignal }) }),
  }
}

verifies.each('decision.model.times')([
  ['no head', [neverComes]],
  ['no token', [gives(preludes, 'hangs')]],
  ['no second token', [gives([...preludes, say('a')], 'hangs')]],
])('%s: given up after MODEL_IDLE_MS, and not a ms before', async (_name, attempts) => {
  const { ask, clock, signals } = open(attempts)
  const outcome = ask()
  await clock.advance(0)
  let settled = false
  void outcome.then(() => {
    settled = true
  })
  await clock.advance(limits.MODEL_IDLE_MS - 1)
  expect(settled).toBe(false)
  await clock.advance(1)
  expect(await outcome).toBe('silent')
  expect([signals.length, signals[0]?.aborted, clock.timers]).toEqual([1, true, 0])
})

verifies('decision.model.times', 'a model that drips for ever is given up after MODEL_TOTAL_MS', async () => {
  let stop = () => {}
  const { ask, clock, signals } = open([
    () =>
      new ReadableStream({
        start(controller) {
          const drip = () => {
            controller.enqueue(say('.'))
            stop = clock.setTimer(drip, 1_000)
          }
          drip()
        },
        cancel: () => stop(),
      }),
  ])
  const outcome = ask()
  await clock.advance(0)
  await clock.advance(limits.MODEL_TOTAL_MS)
  expect(await outcome).toBe('slow')
  expect(signals[0]?.aborted).toBe(true)
})

verifies.each('decision.model.retry')([
  ['a server that fails', throws(failed(500))],
  ['one that is busy', throws(failed(429))],
  ['one that cannot be reached', throws(Object.assign(new Error(), { code: 'ECONNREFUSED' }))],
  ['a connection that breaks', throws(new TypeError('fetch failed'))],
  ['a stream that ends before its first token', gives(preludes)],
  ['an error before the first token', gives([...preludes, { type: 'error', error: { code: 'overloaded' } }])],
])('%s is asked again', async (_name, attempt) => {
  const { ask, clock, signals } = open([attempt, attempt, answers])
  const outcome = ask()
  await clock.advance(0)
  await clock.advance(limits.MODEL_RETRY_MS - 1)
  expect(signals.length).toBe(1)
  await clock.advance(1)
  expect(signals.length).toBe(2)
  await clock.advance(limits.MODEL_RETRY_MS * 2)
  expect([await outcome, signals.length, clock.timers]).toEqual(['Hello', 3, 0])
})

verifies.each('decision.model.retry')([
  ['a request that it refuses', throws(failed(400)), 'refused'],
  ['a key that it does not take', throws(failed(401)), 'closed'],
  ['a model that it does not have', throws(failed(404)), 'closed'],
  ['an answer that is none', throws(new Error('Invalid JSON')), 'malformed'],
  ['an end after the first token', gives([say('a')]), 'unfinished'],
  ['an error after the first token', gives([say('a'), { type: 'error', error: failed(500) }]), 'broken'],
  ['a finish that says error', gives([say('a'), finish('error')]), 'broken'],
  ['a finish that says interrupted', gives([say('a'), finish('interrupted')]), 'unfinished'],
])('%s is not', async (_name, attempt, reason) => {
  const { ask, clock, signals } = open([attempt])
  const outcome = ask()
  await clock.advance(0)
  await clock.advance(limits.MODEL_RETRY_MS * 10)
  expect([await outcome, signals.length, clock.timers]).toEqual([reason, 1, 0])
})

verifies('decision.model.retry', 'a model that goes on failing is told of after MODEL_RETRIES', async () => {
  const { ask, clock, signals } = open([throws(failed(503))])
  const outcome = ask()
  await clock.advance(0)
  await clock.advance(limits.MODEL_RETRY_MS * 10)
  expect([await outcome, signals.length]).toEqual(['broken', 1 + limits.MODEL_RETRIES])
})

verifies.each('decision.model.cap')([
  [9, 'oversize'],
  [10, 'ééééé'],
])('ten bytes of text under a cap of %j', async (max, outcome) => {
  const { ask, signals, clock } = open([gives([say('é'.repeat(5)), finish()])], { MODEL_TEXT_MAX_BYTES: max })
  expect([await ask(), signals[0]?.aborted, clock.timers]).toEqual([outcome, true, 0])
})

const begun: Part = { type: 'tool-input-start', id: 'c', toolName: 't' }
const called: Part = { type: 'tool-call', toolCallId: 'c', toolName: 't', input: '{}' }
verifies.each('decision.model.cap')([
  ['two calls', [begun, begun, called, called], 'tool-calltool-call'],
  ['the begin of a third', [begun, begun, begun], 'oversize'],
  ['a third that had no begin', [called, called, called], 'oversize'],
])('%s under a cap of two', async (_name, calls, outcome) => {
  const { ask, signals } = open([gives([...calls, finish()])], { MODEL_TOOL_CALLS_MAX: 2 })
  expect([await ask(), signals[0]?.aborted]).toEqual([outcome, true])
})

verifies('decision.model.left', 'a caller who is gone closes the request, wherever it stands', async () => {
  const gone = new Error('gone')
  const places: readonly Attempt[] = [
    neverComes,
    gives(preludes, 'hangs'),
    gives([say('a')], 'hangs'),
    throws(failed(503)),
  ]
  for (const attempt of places) {
    const { ask, clock, signals } = open([attempt])
    const caller = new AbortController()
    const outcome = ask(caller.signal)
    await clock.advance(1)
    caller.abort(gone)
    expect(await outcome).toBe(gone)
    expect([signals.at(-1)?.aborted, clock.timers]).toEqual([true, 0])
  }
})

verifies('decision.model.left', 'a caller who was gone before asks nothing', async () => {
  const { ask, clock, signals } = open([answers])
  const gone = new Error('gone')
  expect(await ask(AbortSignal.abort(gone))).toBe(gone)
  expect([signals.length, clock.timers]).toEqual([0, 0])
})

verifies('decision.model.left', 'a stream that its reader leaves closes the request', async () => {
  const { stream, clock, signals } = open([gives([say('a')], 'hangs')])
  const reader = (await stream()).stream.getReader()
  await reader.read()
  await reader.cancel('enough')
  expect([signals[0]?.aborted, clock.timers]).toEqual([true, 0])
})

verifies(
  'decision.model.failures',
  'a failure after the first token is a part of the stream, its last',
  async () => {
    const { stream } = open([gives([...preludes, say('a')])])
    const parts: Part[] = []
    for await (const part of (await stream()).stream) parts.push(part)
    expect(parts.map(({ type }) => type)).toEqual([
      ...preludes.map(({ type }) => type),
      'text-delta',
      'error',
    ])
    expect(parts.at(-1)).toMatchObject({
      error: { code: 'internal_error', details: { reason: 'unfinished' } },
    })
  },
)

verifies('decision.model.failures', 'requests are counted by how they ended', async () => {
  const { ask, metrics } = open([answers, throws(failed(401))])
  await ask()
  await ask()
  const text = await (await metrics.registry()).metrics()
  expect(text).toContain('svc_model_seconds_count{model="m",outcome="ok"} 1')
  expect(text).toContain('svc_model_seconds_count{model="m",outcome="closed"} 1')
})
