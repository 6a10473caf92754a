import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect } from 'vitest'
import { openFakeTool } from '../../testing/fake-tool.ts'
import { sayingModel, scriptedModel, type Talk } from '../../testing/run-model.ts'
import { kindsOf, openRunBed, type RunBedOptions, settled } from '../../testing/runs.ts'
import type { ToolAnswer } from '../sessions/session-tools.ts'
import type { RunArgs } from './runs.ts'

/** Calls a tool when first asked, then says that it is done. */
const callsOnce = (name: string, input: string) =>
  scriptedModel((talk, at) => {
    if (at > 0) {
      talk.say('done')
      return talk.finish('stop', [7, 2])
    }
    talk.say('let me see')
    talk.call(name, input, 'c1')
    talk.finish('tool-calls')
  })

async function play(options: RunBedOptions, args: Partial<RunArgs> = {}) {
  const bed = openRunBed(options)
  const session = await bed.session()
  const { stream_id, run_id } = await bed.start(session, args)
  const frames = await bed.ended(stream_id)
  await settled(2)
  const [history, used] = [await bed.history(session), await bed.used()]
  await bed.close()
  return { bed, frames, run_id, history, used, talks: bed.model.talks }
}

const heardOf = (talk: Talk | undefined) =>
  talk?.options.prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []))

verifies(
  ['design.run.tools', 'run.recursion_limit', 'session.history.result'],
  'a model calls a tool, hears its result and goes on',
  async () => {
    const tool = openFakeTool()
    const { frames, talks, history, run_id, used } = await play({
      tools: [tool],
      model: callsOnce('probe', '{"q": "x"}'),
    })
    expect(tool.calls.map(({ args }) => args)).toEqual([{ q: 'x' }])
    expect(talks[0]?.options.tools).toMatchObject([
      { type: 'function', name: 'probe', description: 'the tool probe', inputSchema: tool.inputSchema },
    ])
    expect(frames[2]).toMatchObject({ event: 'run_meta', granted_tools: ['probe'] })
    expect(kindsOf(frames).slice(3)).toEqual([
      'content',
      'tool_calls',
      'tool_result',
      'content',
      'task_complete',
      'end',
    ])
    expect(frames.slice(4, 6)).toMatchObject([
      {
        data: {
          choices: [
            {
              delta: {
                tool_calls: [
                  {
                    index: 0,
                    id: 'c1',
                    type: 'function',
                    function: { name: 'probe', arguments: '{"q": "x"}' },
                  },
                ],
              },
            },
          ],
        },
      },
      {
        data: {
          choices: [{ delta: { tool_result: { tool_call_id: 'c1', name: 'probe', output: { ok: 1 } } } }],
        },
      },
    ])
    expect(frames.at(-2)).toMatchObject({
      data: {
        choices: [{ delta: { task_complete: { token_usage: { prompt_tokens: 10, completion_tokens: 7 } } } }],
      },
    })
    expect(heardOf(talks[1])).toMatchObject([
      { toolCallId: 'c1', toolName: 'probe', output: { type: 'json', value: { ok: 1 } } },
    ])
    expect(history).toEqual([
      { role: 'user', content: 'hello', run_id },
      {
        role: 'assistant',
        run_id,
        content: [
          { type: 'text', text: 'let me see' },
          { type: 'tool_call', tool_call_id: 'c1', name: 'probe', arguments: '{"q": "x"}' },
        ],
      },
      {
        role: 'tool',
        run_id,
        content: [{ type: 'tool_result', tool_call_id: 'c1', name: 'probe', output: { ok: 1 } }],
      },
      { role: 'assistant', content: 'done', run_id },
    ])
    expect(used).toMatchObject({ runs: 1, tokens: 17 })
  },
)

const told = { code: 'tool_failed', message: 'no such city' }
const failures: readonly (readonly [
  string,
  string,
  string,
  () => ToolAnswer | Promise<ToolAnswer>,
  object,
  string,
])[] = [
  ['an unknown tool', 'nope', '{}', () => ({ output: 1 }), { code: 'not_found' }, 'nope'],
  ['arguments that are not JSON', 'probe', '{"q":', () => ({ output: 1 }), { code: 'invalid_arg' }, 'probe'],
  ['a tool that fails', 'probe', '{}', () => ({ error: told }), told, 'tool_failed: no such city'],
  [
    'a tool that breaks',
    'probe',
    '{}',
    () => Promise.reject(new Error('secret')),
    { code: 'internal_error', message: 'the tool failed; the error has been logged' },
    'internal_error',
  ],
]
verifies.each('decision.run.tool_errors')(failures)(
  '%s is an error that the model is told, and the run goes on',
  async (_what, name, input, answer, error, heard) => {
    const { frames, talks, history } = await play({
      tools: [openFakeTool('probe', answer)],
      model: callsOnce(name, input),
    })
    expect(kindsOf(frames).slice(3)).toEqual([
      'content',
      'tool_calls',
      'tool_result',
      'content',
      'task_complete',
      'end',
    ])
    expect(frames[5]).toMatchObject({ data: { choices: [{ delta: { tool_result: { error } } }] } })
    expect(JSON.stringify(heardOf(talks[1]))).toContain(heard)
    expect(JSON.stringify([frames, heardOf(talks[1])])).not.toContain('secret')
    expect(history).toHaveLength(4)
  },
)

verifies('design.run.tools', 'a model without end is asked recursion_limit times', async () => {
  const endless = () =>
    scriptedModel((talk) => {
      talk.call('probe', '{}')
      talk.finish('tool-calls')
    })
  const tools = [openFakeTool()]
  const usual = await play({ tools, model: endless() })
  expect(usual.talks).toHaveLength(8)
  expect(usual.frames.at(-2)).toMatchObject({ data: { choices: [{ finish_reason: 'tool_calls' }] } })
  const three = await play({ tools, model: endless() }, { recursion_limit: 3 })
  expect(three.talks).toHaveLength(3)
  expect(kindsOf(three.frames).slice(-2)).toEqual(['task_complete', 'end'])
})

verifies(
  'design.run.tools',
  'of many calls of one step so many are under way at once, and all are answered',
  async () => {
    let most = 0
    let now = 0
    const tool = openFakeTool('probe', async (args) => {
      now += 1
      most = Math.max(most, now)
      await settled()
      now -= 1
      return { output: args }
    })
    const model = scriptedModel((talk, at) => {
      if (at === 0) for (let call = 0; call < 20; call += 1) talk.call('probe', `{"q":"${call}"}`, `c${call}`)
      talk.finish(at === 0 ? 'tool-calls' : 'stop')
    })
    const { frames, talks } = await play({ tools: [tool], model })
    expect(most).toBe(limits.RUN_TOOL_CALLS_AT_ONCE)
    expect(kindsOf(frames).filter((kind) => kind === 'tool_result')).toHaveLength(20)
    expect(heardOf(talks[1])).toHaveLength(20)
  },
)

verifies('run.allowed_tools', 'allowed_tools narrows the tools of a run, and widens nothing', async () => {
  const tools = ['a', 'b', 'c'].map((name) => openFakeTool(name))
  const { frames, talks } = await play(
    { tools, model: sayingModel('ok') },
    { allowed_tools: ['c', 'a', 'x'] },
  )
  expect(frames[2]).toMatchObject({ granted_tools: ['a', 'c'] })
  expect(talks[0]?.options.tools?.map(({ name }) => name)).toEqual(['a', 'c'])
  const none = await play({ tools, model: sayingModel('ok') }, { allowed_tools: [] })
  expect(none.talks[0]?.options.tools ?? []).toEqual([])
})

verifies(
  'run.kind.complete',
  'a session of the kind complete has no tools and remembers nothing',
  async () => {
    const bed = openRunBed({ tools: [openFakeTool()], model: sayingModel('ok') })
    const session = await bed.session({ kind: 'complete', submode: null })
    for (const _ of [1, 2]) await bed.ended((await bed.start(session)).stream_id)
    expect(bed.model.talks.map(({ options }) => [options.tools ?? [], options.prompt.length])).toEqual([
      [[], 1],
      [[], 1],
    ])
    expect(await bed.history(session)).toEqual([])
    await bed.close()
  },
)

verifies(
  ['decision.quota.steps', 'design.run.error_details'],
  'a step past the tokens of the day is not asked; those before it are settled',
  async () => {
    const { frames, talks, used } = await play({
      daily: { tokens_per_day: 160 },
      tools: [openFakeTool('probe', () => ({ output: 'x'.repeat(400) }))],
      model: callsOnce('probe', '{}'),
    })
    expect(talks).toHaveLength(1)
    expect(kindsOf(frames).slice(-2)).toEqual(['error APP_QUOTA_EXCEEDED', 'end'])
    const resets_at = expect.stringMatching(/T00:00:00.000Z$/)
    expect(frames.at(-2)).toMatchObject({
      details: { quota: 'tokens_per_day', max: 160, used: 8, resets_at, hint: expect.any(String) },
    })
    expect(used).toMatchObject({ runs: 1, tokens: 8 })
  },
)

verifies(
  'run.attachments.vision',
  'a model that cannot see fails a run with images, and is not asked',
  async () => {
    const attachments = [{ type: 'image/png' as const, data: PNG }]
    const blind = await play({ model: sayingModel('ok') }, { attachments })
    expect(kindsOf(blind.frames)).toEqual([
      'queued',
      'started',
      'run_meta',
      'error APP_MODEL_NOT_VISION_CAPABLE',
      'end',
    ])
    expect([blind.talks.length, blind.used]).toMatchObject([0, { runs: 0, tokens: 0 }])
  },
)

verifies('run.attachments.once', 'images are seen in their own run, and are in no history', async () => {
  const bed = openRunBed({ vision: true, model: sayingModel('ok') })
  const session = await bed.session()
  await bed.ended((await bed.start(session, { attachments: [{ type: 'image/png', data: PNG }] })).stream_id)
  await bed.ended((await bed.start(session)).stream_id)
  const files = bed.model.talks.map(({ options }) =>
    options.prompt.flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.filter((part) => part.type === 'file'),
    ),
  )
  expect(files).toMatchObject([[{ mediaType: 'image/png' }], []])
  expect((await bed.history(session)).map(({ content }) => content)).toEqual(['hello', 'ok', 'hello', 'ok'])
  await bed.close()
})

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
