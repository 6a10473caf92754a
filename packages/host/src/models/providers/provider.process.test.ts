import {
  type Behaviour,
  behaviours,
  type FakeProvider,
  openFakeProvider,
} from '@svc/conformance/testing/fake-provider'
import { atPort, openTestHost, type TestHostOptions } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { type Limits, limits } from '@svc/contract'
import { systemClock } from '@svc/node'
import { frozenClock } from '@svc/node/testing'
import { memoryStore } from '@svc/state'
import { pino } from 'pino'
import { afterAll, beforeAll, expect } from 'vitest'
import { quotas } from '../quotas/quota-row.ts'
import { readModels } from './model-settings.ts'

const KEY = 'sk-secret-9'
const ask = {
  messages: [
    { role: 'user', content: { type: 'text', text: 'hi' } },
    { role: 'assistant', content: { type: 'text', text: 'yes?' } },
    { role: 'user', content: { type: 'text', text: 'go on' } },
  ],
  maxTokens: 100,
}
const quick = { MODEL_RETRY_MS: 1 } as const

let provider: FakeProvider
beforeAll(async () => {
  provider = await openFakeProvider()
})
afterAll(() => provider.close())

/** A host whose model is the fake provider's, an open window, and everything that was logged. */
async function open(changed: Partial<Limits> = {}, options: TestHostOptions = {}) {
  const environment = {
    SVC_LLM_BASE_URL: provider.url,
    SVC_LLM_API_KEY: KEY,
    SVC_LLM_MODEL: 'fake-1',
    SVC_LLM_EMBEDDING_MODEL: 'fake-e',
  }
  const { models, embeddingModel } = readModels({}, environment, {
    clock: systemClock,
    limits: { ...limits, ...changed },
  })
  const lines: string[] = []
  const store = memoryStore()
  const services = await openTestHost({
    models,
    ...(embeddingModel && { embeddingModel }),
    limits: changed,
    store,
    secret: 's'.repeat(32),
    logger: pino({ level: 'trace' }, { write: (line) => void lines.push(line) }),
    manifest: { host_api: { llm: ['*'] } },
    ...options,
  })
  const used = async () => (await store.scan(quotas, 'endsAt', { limit: 1 })).rows[0]?.row
  return { ...services, window: await services.openWindow(), lines, used }
}

verifies(
  ['llm.complete.result', 'design.models.environment'],
  'a server answers, and is told what was asked',
  async () => {
    const { window, close, used } = await open()
    provider.behave(behaviours.answers())
    const at = provider.requests.length
    expect(await window.call('llm', 'complete', ask)).toMatchObject({
      ok: true,
      result: {
        role: 'assistant',
        content: { type: 'text', text: 'Hello there' },
        model: 'fake-1-2026',
        stopReason: 'endTurn',
        usage: { inputTokens: 11, outputTokens: 7, totalTokens: 18 },
      },
    })
    const { path, headers, body } = await provider.arrived(at)
    expect([path, headers.authorization]).toEqual(['/v1/chat/completions', `Bearer ${KEY}`])
    expect(headers['user-agent']).toMatch(/^ai-sdk-openai-compatible\/\d/)
    expect(body).toMatchObject({
      model: 'fake-1',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 100,
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'yes?' },
        { role: 'user', content: 'go on' },
      ],
    })
    expect(await used()).toMatchObject({ completions: 1, tokens: 18 })
    await close()
  },
)

verifies.each('llm.complete.result')([
  ['stop', 'endTurn'],
  ['length', 'maxTokens'],
  ['stop_sequence', 'stopSequence'],
  ['content_filter', 'endTurn'],
  ['something new', 'endTurn'],
])('the finish %j is the stopReason %j', async (finish, stopReason) => {
  const { window, close } = await open()
  provider.behave(behaviours.answers(['x'], finish))
  expect(await window.call('llm', 'complete', ask)).toMatchObject({ result: { stopReason } })
  await close()
})

verifies('llm.complete.result', 'what a server does not count is guessed by its bytes', async () => {
  const { window, close, used } = await open()
  provider.behave(behaviours.answersUncounted)
  expect(await window.call('llm', 'complete', ask)).toMatchObject({
    result: { usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 } },
  })
  expect(await used()).toMatchObject({ tokens: 5 })
  await close()
})

const charged = 103
const rows: readonly [
  string,
  Behaviour,
  string,
  string,
  requests: number,
  tokens: number,
  change?: Partial<Limits>,
][] = [
  ['cuts the connection', behaviours.cutsAtOnce, 'internal_error', 'cut', 3, charged],
  ['cuts it after a token', behaviours.cutsMidway, 'internal_error', 'cut', 1, charged],
  ['ends without a finish', behaviours.endsEarly, 'internal_error', 'unfinished', 1, charged],
  ['is busy', behaviours.refuses(429), 'internal_error', 'busy', 3, 0],
  ['fails', behaviours.refuses(500), 'internal_error', 'broken', 3, 0],
  ['fails with a page', behaviours.failsInHtml, 'internal_error', 'broken', 3, 0],
  ['refuses the request', behaviours.refuses(400), 'invalid_arg', 'refused', 1, 0],
  ['refuses the key', behaviours.refuses(401), 'internal_error', 'closed', 1, 0],
  ['does not have the model', behaviours.refuses(404), 'internal_error', 'closed', 1, 0],
  ['answers a page', behaviours.answersInHtml, 'internal_error', 'malformed', 1, charged],
  ['sends an event that is not JSON', behaviours.garbles, 'internal_error', 'malformed', 1, charged],
  ['sends an error inside the stream', behaviours.failsInside, 'internal_error', 'broken', 3, 0],
  [
    'sends one event without an end',
    behaviours.floods,
    'result_too_large',
    'oversize',
    1,
    charged,
    { MODEL_RESPONSE_MAX_BYTES: 1_000_000 },
  ],
]

verifies.each(['decision.model.failures', 'decision.model.cap', 'decision.quota.settled', 'wall.model_keys'])(
  rows,
)('a server that %s', async (_name, behaviour, code, reason, requests, tokens, change = {}) => {
  const { window, close, used, lines } = await open({ ...quick, ...change })
  provider.behave(behaviour)
  const at = provider.requests.length
  const answer = await window.call('llm', 'complete', ask)
  expect(answer).toMatchObject({ ok: false, error: { code, details: { reason } } })
  expect(provider.requests.length - at).toBe(requests)
  for (const request of provider.requests.slice(at)) await request.ended
  expect(await used()).toMatchObject({ completions: 1, tokens })
  expect(JSON.stringify(answer)).not.toMatch(/sk-|secret/)
  expect(lines.join('')).toContain(`"reason":"${reason}"`)
  expect(lines.join('')).not.toMatch(/sk-|secret/)
  await close()
})

verifies.each(['decision.model.times', 'decision.quota.settled'])([
  ['hangs', 'complete', ask, behaviours.hangs, 'silent', limits.MODEL_IDLE_MS],
  // Its token comes while the clock moves, and silence begins again.
  ['hangs after a token', 'complete', ask, behaviours.hangsMidway, 'silent', 2 * limits.MODEL_IDLE_MS],
  ['drips for ever', 'complete', ask, behaviours.drips, 'slow', limits.MODEL_TOTAL_MS],
  ['hangs over vectors', 'embed', { input: 'ab' }, behaviours.hangs, 'silent', limits.MODEL_IDLE_MS],
] as const)('a server that %s is left alone', async (_name, method, args, behaviour, reason, waitMs) => {
  const clock = frozenClock()
  // A token that drips sets the time of silence back only while this clock moves.
  const { window, close, used } = await open(
    reason === 'slow' ? { MODEL_IDLE_MS: limits.MODEL_TOTAL_MS + 1 } : {},
    { clock },
  )
  provider.behave(behaviour)
  const at = provider.requests.length
  const answer = window.call('llm', method, args)
  const request = await provider.arrived(at)
  await clock.advance(waitMs)
  expect(await answer).toMatchObject({ error: { code: 'internal_error', details: { reason } } })
  expect([await request.ended, provider.requests.length - at]).toEqual([true, 1])
  expect(await used()).toMatchObject({ completions: 1, tokens: method === 'embed' ? 1 : charged })
  await close()
})

verifies(
  ['decision.quota.settled', 'decision.model.failures'],
  'a server that is not there costs nothing',
  async () => {
    const gone = await openFakeProvider()
    await gone.close()
    const { models } = readModels(
      {},
      { SVC_LLM_BASE_URL: gone.url, SVC_LLM_MODEL: 'x' },
      { clock: systemClock, limits },
    )
    const { window, close, used } = await open(quick, { models })
    expect(await window.call('llm', 'complete', ask)).toMatchObject({
      error: { code: 'internal_error', details: { reason: 'unreachable', retriable: true } },
    })
    expect(await used()).toMatchObject({ completions: 0, tokens: 0, apps: [] })
    await close()
  },
)

verifies.each(['decision.model.left', 'route.complete'])([
  ['a call', '/api/v1/svc-apps/runtime/rpc'],
  ['the route', '/api/v1/copilot/app/complete'],
])('a page that goes away closes the request to the server: %s', async (_name, path) => {
  const { window, close, host, used } = await open()
  const { url } = await host.listen(0)
  provider.behave(behaviours.hangsMidway)
  const at = provider.requests.length
  const leaving = new AbortController()
  const sent = fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-svc-app-token': window.token,
      cookie: atPort(window.cookie, new URL(url)),
      origin: url,
    },
    body: JSON.stringify(
      path.endsWith('rpc')
        ? { id: '1', window_uuid: window.windowUuid, ns: 'llm', method: 'complete', args: ask }
        : ask,
    ),
    signal: leaving.signal,
  })
  const request = await provider.arrived(at)
  leaving.abort()
  await expect(sent).rejects.toThrow()
  expect(await request.ended).toBe(true)
  expect(await used()).toMatchObject({ completions: 1, tokens: charged })
  await close()
})

verifies('llm.embed', 'a server makes vectors, and its tokens count', async () => {
  const { window, close, used } = await open()
  provider.behave(behaviours.embeds)
  expect(await window.call('llm', 'embed', { input: ['ab', 'c'], model: 'fake-e' })).toMatchObject({
    result: {
      embeddings: [
        [2, 0],
        [1, 1],
      ],
      model: 'fake-e',
      usage: { inputTokens: 2, outputTokens: 0, totalTokens: 2 },
    },
  })
  expect(await used()).toMatchObject({ completions: 1, tokens: 2 })
  expect(await window.call('llm', 'embed', { input: 'ab', model: 'other' })).toMatchObject({
    error: { code: 'invalid_arg', message: 'model must be "fake-e", got "other"' },
  })
  await close()
})

verifies.each(['llm.embed', 'wall.model_keys'])([
  ['fails', behaviours.refuses(500), 'internal_error', 'broken', 3],
  ['refuses the input', behaviours.refuses(400), 'invalid_arg', 'refused', 1],
  ['answers a page', behaviours.answersInHtml, 'internal_error', 'malformed', 1],
] as const)('a server of vectors that %s', async (_name, behaviour, code, reason, requests) => {
  const { window, close, lines } = await open(quick)
  provider.behave(behaviour)
  const at = provider.requests.length
  const answer = await window.call('llm', 'embed', { input: 'ab' })
  expect(answer).toMatchObject({ error: { code, details: { reason } } })
  expect(provider.requests.length - at).toBe(requests)
  expect(JSON.stringify(answer) + lines.join('')).not.toMatch(/sk-|secret/)
  await close()
})
