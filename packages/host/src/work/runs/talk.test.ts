import { APICallError, type LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { openFakeTool } from '../../testing/fake-tool.ts'
import { scriptedModel, type Talk } from '../../testing/run-model.ts'
import { kindsOf, openRunBed, settled } from '../../testing/runs.ts'
import type { SessionTool } from '../sessions/session-tools.ts'
import type { RunArgs } from './runs.ts'

interface Script {
  readonly answer: (talk: Talk, at: number) => void
  readonly args?: Partial<RunArgs>
  readonly turns?: number
  /** It never ends, and is cancelled after its first text. */
  readonly isCut?: boolean
}

const start = (id: string, type: 'text' | 'reasoning' = 'text') => ({ type: `${type}-start`, id }) as const
const delta = (id: string, text: string, type: 'text' | 'reasoning' = 'text') =>
  ({ type: `${type}-delta`, id, delta: text }) as const
const end = (id: string, type: 'text' | 'reasoning' = 'text') => ({ type: `${type}-end`, id }) as const
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Gives parts and finishes; asked again, it says that it is done. */
const giving =
  (...parts: readonly LanguageModelV4StreamPart[]): Script['answer'] =>
  (talk, at) => {
    if (at === 0) talk.give(...parts)
    else talk.say('done')
    talk.finish()
  }

const saying =
  (text: string, then: (talk: Talk) => void): Script['answer'] =>
  (talk) => {
    talk.say(text)
    then(talk)
  }

const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'nope', input: '{}' } as const
const refused = new APICallError({ message: 'no', url: 'http://m', requestBodyValues: {}, statusCode: 400 })

const scripts: readonly (readonly [string, Script])[] = [
  ['text', { answer: giving(start('1'), delta('1', 'Hel'), delta('1', 'lo'), end('1')) }],
  ['nothing', { answer: giving() }],
  ['text that is cut at its length', { answer: saying('lon', (talk) => talk.finish('length')) }],
  ['a finish for tools, of which it called none', { answer: (talk) => talk.finish('tool-calls') }],
  [
    'reasoning, then text',
    {
      answer: giving(
        ...[start('1', 'reasoning'), delta('1', 'hm', 'reasoning'), end('1', 'reasoning')],
        ...[start('1'), delta('1', 'so'), end('1')],
      ),
    },
  ],
  [
    'blocks that overlap',
    {
      answer: giving(
        ...[start('1'), delta('1', 'a'), start('2'), delta('2', 'b')],
        ...[delta('1', 'c'), end('1'), delta('2', 'd'), end('2')],
      ),
    },
  ],
  ['a block that does not end', { answer: giving(start('1'), delta('1', 'Hello')) }],
  ['text of a block that is never named', { answer: giving(delta('1', 'Hello')) }],
  ['a block that ends without a beginning', { answer: giving(delta('1', 'Hello'), end('1')) }],
  ['a block that ends twice', { answer: giving(start('1'), delta('1', 'Hello'), end('1'), end('1')) }],
  [
    'a block that begins and ends twice',
    { answer: giving(start('1'), delta('1', 'Hel'), start('1'), delta('1', 'lo'), end('1'), end('1')) },
  ],
  ['a call of a tool that there is not', { answer: giving(start('1'), delta('1', 'x'), end('1'), call) }],
  ['a call whose arguments are not JSON', { answer: giving({ ...call, input: '{"q' }) }],
  [
    'calls without end',
    {
      answer: (talk) => {
        talk.call('nope', '{}')
        talk.finish('tool-calls')
      },
      args: { recursion_limit: 3 },
    },
  ],
  ['a call of a tool of its own', { answer: giving({ ...call, providerExecuted: true }) }],
  [
    'a result of a tool of its own',
    {
      answer: giving({ ...call, providerExecuted: true }, { ...call, type: 'tool-result', result: { q: 1 } }),
    },
  ],
  [
    'a question whether a call is approved that it did not make',
    { answer: giving({ type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1' }) },
  ],
  [
    'a file and its source',
    {
      answer: giving(
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PNG } },
        { type: 'source', sourceType: 'url', id: 's1', url: 'https://example.com/' },
        ...[start('1'), delta('1', 'see'), end('1')],
      ),
    },
  ],
  ['a refusal', { answer: (talk) => talk.fail(refused) }],
  ['an error after text', { answer: saying('Hel', (talk) => talk.fail(refused)) }],
  [
    'an error in the stream',
    { answer: giving(start('1'), delta('1', 'Hel'), { type: 'error', error: 'x' }) },
  ],
  [
    'a call, and then an error',
    { answer: giving(call, { type: 'error', error: { message: 'overloaded', code: 503 } }) },
  ],
  ['text, until it is cancelled', { answer: (talk) => talk.say('Hel'), isCut: true }],
  [
    'a call, until it is cancelled',
    { answer: saying('Hel', (talk) => talk.call('nope', '{}')), isCut: true },
  ],
  ['an answer to images', { answer: giving(), args: { attachments: [{ type: 'image/png', data: PNG }] } }],
  ['an answer to a system prompt', { answer: giving(), args: { systemPrompt: 'Be short.' } }],
  ['answers in a conversation', { answer: saying('Hello', (talk) => talk.finish()), turns: 3 }],
]

async function play({ answer, args, turns = 1, isCut }: Script, tools: readonly SessionTool[]) {
  const bed = openRunBed({ tools, vision: true, model: scriptedModel(answer) })
  const session = await bed.session()
  const runs: string[] = []
  const frames: unknown[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    const { stream_id, run_id } = await bed.start(session, args)
    runs.push(run_id)
    if (isCut) {
      for await (const { payload } of bed.runs.frames(stream_id, 0)) if (payload.includes('Hel')) break
      await bed.cancel(session, run_id)
    }
    frames.push(...(await bed.ended(stream_id)).map((frame) => ({ ...frame, granted_tools: null })))
  }
  await settled(2)
  const asked = bed.model.talks.map(({ options: { tools: _, abortSignal: __, ...options } }) => options)
  const told = JSON.stringify([frames, asked, await bed.history(session), await bed.used()])
    // What a model is told that called a tool which there is not.
    .replaceAll('Available tools: probe.', 'Available tools: .')
  await bed.close()
  return JSON.parse(runs.reduce((text, run, at) => text.replaceAll(run, `run ${at}`), told))
}

verifies.each(['design.run.talk'])(scripts)(
  'a model without tools is heard as one that has some: %s',
  async (_what, script) => {
    const without = await play(script, [])
    expect(without).toEqual(await play(script, [openFakeTool('probe')]))
    expect(kindsOf(without[0]).at(-1)).toBe('end')
  },
)
