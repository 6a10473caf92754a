import { afterEach, expect, it } from 'vitest'
import { createTestHost, type ModelScript, type TestHost, type TestHostOptions } from '../index.ts'

const manifest = {
  schema: 3,
  name: 'Chat',
  ui: {
    bundle: { entry: 'index.html' },
    views: [{ name: 'main' }],
    host_api: { llm: ['*'], agent: { session: { auto: true } } },
  },
  required_plugs: [{ handle: 'weather' }],
}

let host: TestHost
afterEach(() => host.close())

async function open(models: TestHostOptions['models']) {
  host = await createTestHost({
    manifest,
    tools: { weather: { forecast: ({ city }) => ({ city, sky: 'clear' }) } },
    ...(models && { models }),
  })
  return host.openWindow()
}
const ask = (text: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
})

it('says one text after the other, and remembers what it was asked', async () => {
  const { svc } = await open({ default: ['Hello!', { text: 'Bye', usage: { input: 3, output: 1 } }] })
  expect(await svc.llm.complete(ask('Hi'))).toMatchObject({
    content: { text: 'Hello!' },
    model: 'default',
    stopReason: 'endTurn',
  })
  expect(await svc.llm.complete({ ...ask('And?'), maxTokens: 7 })).toMatchObject({
    content: { text: 'Bye' },
    usage: { inputTokens: 3, outputTokens: 1, totalTokens: 4 },
  })
  expect(host.questions.default).toEqual([
    { messages: [{ role: 'user', text: 'Hi' }], tools: [], maxTokens: 4096 },
    { messages: [{ role: 'user', text: 'And?' }], tools: [], maxTokens: 7 },
  ])
})

it('streams its pieces by the clock', async () => {
  const { svc } = await open({ default: [{ text: ['One ', 'two ', 'three'], everyMs: 100 }] })
  const run = await svc.llm.streamText(ask('Count'))
  const heard: string[] = []
  const reading = (async () => {
    for await (const piece of run.text()) heard.push(piece)
  })()
  await host.clock.advance(0)
  expect(heard).toEqual(['One '])
  await host.clock.advance(100)
  expect(heard).toEqual(['One ', 'two '])
  await host.clock.advance(100)
  await reading
  expect(heard).toEqual(['One ', 'two ', 'three'])
})

it('calls a tool in a session', async () => {
  const { svc } = await open({
    default: [
      { text: 'I look.', call: { tool: 'weather.forecast', args: { city: 'Rome' } } },
      'It is clear.',
    ],
  })
  const session = await svc.agent.session({ submode: 'auto' })
  const run = await session.run('The weather in Rome?')
  expect(await run.final()).toMatchObject({ text: 'I look.It is clear.' })
  expect(host.questions.default?.[1]?.messages.at(-1)).toEqual({
    role: 'tool',
    text: '{"city":"Rome","sky":"clear"}',
  })
})

it('fails as a model fails', async () => {
  const { svc } = await open({ default: [{ error: { status: 400 } }, { error: { status: 429 } }, 'Now'] })
  await expect(svc.llm.complete(ask('Hi'))).rejects.toMatchObject({ code: 'invalid_arg' })
  const asked = svc.llm.complete(ask('Hi'))
  await host.clock.advance(500)
  expect(await asked).toMatchObject({ content: { text: 'Now' } })
})

it.each([
  [
    'a script that is too short',
    ['Hello!'],
    'the model "default" has no answer to question 2 of its script of 1',
  ],
  [
    'a function that returns nothing',
    ({ messages }) => (messages[0]?.text === 'Hi' ? 'Hello!' : (undefined as never)),
    'the model "default" has no answer to question 2',
  ],
  [
    'a function that throws',
    ({ messages }) => {
      if (messages[0]?.text === 'Hi') return 'Hello!'
      throw new Error('a slip of the pen')
    },
    'the function of the model "default" threw at question 2: Error: a slip of the pen',
  ],
  [
    'a tool that the session does not have',
    ['Hello!', { call: { tool: 'weather.forcast' } }],
    'the script of the model "default" calls weather.forcast, which the session does not have',
  ],
] as [string, ModelScript, string][])(
  'says at the end of the test what is wrong: %s',
  async (_, script, message) => {
    const { svc } = await open({ default: script })
    await svc.llm.complete(ask('Hi'))
    const failed = svc.llm.complete(ask('And?')).catch(({ code }) => code)
    await host.clock.advance(1_000)
    expect(await failed).toBe('internal_error')
    await expect(host.close()).rejects.toMatchObject({
      name: 'TestHostError',
      message: expect.stringContaining(`${message}\n`),
      hint: expect.any(String),
    })
  },
)
