import { openTestHost, type TestHostOptions } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import { expect, vi } from 'vitest'
import { devModel } from '../../models/providers/dev-model.ts'

const said = (text: string) => ({ role: 'user', content: { type: 'text', text } })
const messages = [said('good morning')]
const everything = { host_api: { llm: ['*'] } }

async function open(options: TestHostOptions = {}) {
  const services = await openTestHost({ manifest: everything, ...options })
  const window = await services.openWindow()
  return {
    ...services,
    window,
    complete: (args: unknown = { messages, maxTokens: 100 }) => window.call('llm', 'complete', args),
    embed: (args: unknown = { input: 'a house' }) => window.call('llm', 'embed', args),
  }
}

verifies(
  ['llm.complete.result', 'design.dev_model', 'manifest.llm'],
  'a host with nothing configured answers with the development model',
  async () => {
    const { complete, close } = await open({ manifest: { host_api: { llm: ['complete'] } } })
    expect(await complete()).toEqual({
      id: '1',
      ok: true,
      result: {
        role: 'assistant',
        content: { type: 'text', text: '[svc-dev, the development model] You said: good morning' },
        model: 'svc-dev',
        stopReason: 'endTurn',
        usage: { inputTokens: 3, outputTokens: 15, totalTokens: 18 },
      },
    })
    await close()
  },
)

verifies('llm.complete.stateless', 'a second completion knows nothing of the first', async () => {
  const { complete, close } = await open()
  const first = await complete()
  await complete({ messages: [said('my name is Ada')], maxTokens: 100 })
  expect(await complete()).toEqual(first)
  await close()
})

verifies('llm.embed', 'one text is one vector, a list as many', async () => {
  const { embed, close } = await open()
  const one = await embed()
  expect(one).toMatchObject({
    result: { model: 'svc-dev', usage: { inputTokens: 2, outputTokens: 0, totalTokens: 2 } },
  })
  const many = await embed({ input: ['a house', 'a car', 'a house'] })
  const vectors = (answer: typeof one) => (answer.ok ? (answer.result.embeddings as number[][]) : [])
  expect(vectors(many)).toHaveLength(3)
  expect(vectors(many)[2]).toEqual(vectors(one)[0])
  await close()
})

verifies.each(['error.permission_denied.method', 'manifest.llm'])([
  [undefined, 'complete', 'permission_denied'],
  [[], 'complete', 'permission_denied'],
  [['embed'], 'complete', 'permission_denied'],
  [['complete'], 'embed', 'permission_denied'],
  [['complete'], 'stream', 'permission_denied'],
  [['complete'], 'cancel', 'permission_denied'],
  [['*'], 'attach', 'not_found'],
  [['stream'], 'attach', 'not_found'],
])('an app with llm %j that calls %s gets %s', async (llm, method, code) => {
  const run_id = '0f8fad5b-d9cb-469f-a165-70867728950e'
  const { window, close } = await open({ manifest: { host_api: llm ? { llm } : {} } })
  expect(await window.call('llm', method, { messages, maxTokens: 1, input: 'a', run_id })).toMatchObject({
    error: { code },
  })
  await close()
})

const spoken = ['llm.complete', 'llm.stream', 'llm.attach', 'llm.cancel']
verifies.each(['error.not_implemented.unwired', 'design.models.configured'])([
  ['no models', { models: null }, 'not_implemented', 'not_implemented', []],
  ['models alone', { models: { default: { model: devModel() } } }, 'ok', 'not_implemented', spoken],
  ['nothing said', {}, 'ok', 'ok', [...spoken, 'llm.embed']],
] as const)('a host with %s', async (_name, options, complete, embed, offered) => {
  const services = await open(options)
  const codeOf = (answer: Awaited<ReturnType<typeof services.complete>>) =>
    answer.ok ? 'ok' : answer.error.code
  expect([codeOf(await services.complete()), codeOf(await services.embed())]).toEqual([complete, embed])
  const hello = await services.window.call('window', 'hello')
  const { methods } = (hello.ok ? hello.result.capabilities : {}) as { methods: string[] }
  expect(methods.filter((name) => name.startsWith('llm.'))).toEqual(offered)
  await services.close()
})

verifies(
  'design.models.environment',
  'createHost reads the environment, and says what is wrong with it',
  async () => {
    vi.stubEnv('SVC_LLM_BASE_URL', 'somewhere')
    vi.stubEnv('SVC_LLM_API_KEY', 'sk-secret')
    await expect(open()).rejects.toThrow('SVC_LLM_BASE_URL must be an http or https address')
    vi.unstubAllEnvs()
  },
)

verifies.each(['decision.models.max_tokens', 'limits.max_tokens'])([
  ['a few', {}, 3, 3],
  ['more than the default', {}, 5_000, 4_096],
  ['none', {}, undefined, 4_096],
  ['more than granted', { max_tokens_per_call: 4 }, 100, 4],
  ['fewer than granted', { max_tokens_per_call: 4 }, 2, 2],
  ['as many as granted, past the default', { max_tokens_per_call: 5_000 }, 5_000, 5_000],
])('%s: with %j and maxTokens %j the model may give %i', async (_name, quota_caps, maxTokens, expected) => {
  const asked: (number | undefined)[] = []
  const dev = devModel()
  const model = {
    ...dev,
    doStream: (options: Parameters<typeof dev.doStream>[0]) => {
      asked.push(options.maxOutputTokens)
      return dev.doStream(options)
    },
  }
  const { complete, close } = await open({ models: { default: { model } }, grants: { quota_caps } })
  const answer = await complete({ messages, ...(maxTokens !== undefined && { maxTokens }) })
  expect(asked).toEqual([expected])
  expect(answer).toMatchObject({ result: { stopReason: expected < 15 ? 'maxTokens' : 'endTurn' } })
  await close()
})

verifies(
  'decision.models.granted',
  'an install chooses among what it was granted, or is told that it may not',
  async () => {
    const named = (modelId: string) => {
      const dev = devModel()
      const text = [
        { type: 'text-delta', id: '0', delta: modelId },
        {
          type: 'finish',
          finishReason: { unified: 'stop', raw: undefined },
          usage: {
            inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
            outputTokens: { total: 1, text: 1, reasoning: 0 },
          },
        },
      ] as const
      return { model: { ...dev, modelId, doStream: async () => ({ stream: ReadableStream.from(text) }) } }
    }
    const models = { clever: named('large'), default: named('small') }
    const hint = { hints: [{ name: 'small' }] }
    for (const [grants, model] of [
      [{}, 'small'],
      [{ models: ['clever'] }, 'large'],
    ] as const) {
      const { complete, close } = await open({ models, grants })
      for (const wish of [{}, { modelPreferences: hint }])
        expect(await complete({ messages, maxTokens: 9, ...wish })).toMatchObject({
          result: { model, content: { text: model } },
        })
      await close()
    }
    const { complete, close } = await open({ models, grants: { models: ['other'] } })
    expect(await complete()).toMatchObject({
      error: {
        code: 'permission_denied',
        details: {
          denied_by: 'grant',
          hint: 'Install the app without models, or with some of: default, clever.',
        },
      },
    })
    await close()
  },
)

verifies(
  ['error.quota_exceeded', 'llm.complete.stateless'],
  'completions and embeddings count for the user',
  async () => {
    const clock = frozenClock()
    const { complete, embed, close } = await open({ clock, quotas: { completions_per_day: 2 } })
    await complete()
    await embed()
    for (const answer of [await complete(), await embed()])
      expect(answer).toMatchObject({
        error: { code: 'quota_exceeded', details: { quota: 'completions_per_day', max: 2, used: 2 } },
      })
    await close()
  },
)

verifies.each('error.quota_exceeded')([
  ['tokens of the user', { quotas: { tokens_per_day: 90 } }, 'tokens_per_day'],
  ['calls of the app', { grants: { quota_caps: { max_runs_per_day: 0 } } }, 'max_runs_per_day'],
])('%s', async (_name, options, quota) => {
  const { window, complete, close } = await open(options)
  expect(await complete()).toMatchObject({ error: { code: 'quota_exceeded', details: { quota } } })
  const { status } = await window.post(
    JSON.stringify({
      id: '1',
      window_uuid: window.windowUuid,
      ns: 'llm',
      method: 'complete',
      args: { messages, maxTokens: 100 },
    }),
  )
  expect(status).toBe(429)
  await close()
})

verifies('decision.quota.atomic', 'of 50 calls at once as many are answered as the quota has', async () => {
  const { complete, close } = await open({ quotas: { completions_per_day: 5 } })
  const answers = await Promise.all(Array.from({ length: 50 }, () => complete()))
  expect(answers.filter(({ ok }) => ok)).toHaveLength(5)
  expect(answers.filter((answer) => !answer.ok && answer.error.code === 'quota_exceeded')).toHaveLength(45)
  await close()
})
