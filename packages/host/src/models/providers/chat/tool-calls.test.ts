import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { about, byReader, cut, events, said } from '../../../testing/chat-answers.ts'

type Calls = [name: string, input: string][]

/** One event for each list of calls. */
const calling = (...lists: unknown[][]) =>
  events(...lists.map((tool_calls) => said({ tool_calls })), said({}, 'tool_calls'))
const call = (index: number | undefined, id: string | null | undefined, name?: unknown, args?: unknown) => ({
  index,
  id,
  type: 'function',
  function: { name, arguments: args },
})
const add: Calls = [['add', '{"a":1}']]
const two: Calls = [
  ['add', '{"a":1}'],
  ['sub', '{"b":2}'],
]

verifies.each('llm.complete.result')([
  ['whole', calling([call(0, 'c1', 'add', '{"a":1}')]), add],
  [
    'in pieces',
    calling(
      [call(0, 'c1', 'add', '')],
      [call(0, undefined, undefined, '{"a"')],
      [call(0, undefined, undefined, ':1}')],
    ),
    add,
  ],
  [
    'with null in each piece',
    calling([call(0, 'c1', 'add', null)], [call(0, null, null, '{"a":1}')], [call(0, null, null, null)]),
    add,
  ],
  [
    'with arguments before the name',
    calling([call(0, 'c1', undefined, '{"a":')], [call(0, undefined, 'add', '1}')]),
    add,
  ],
  [
    'with the name in pieces',
    calling(
      [call(0, 'c1', 'ad', '')],
      [call(0, undefined, 'd', '')],
      [call(0, undefined, undefined, '{"a":1}')],
    ),
    add,
  ],
  [
    'with the name so far in each piece',
    calling([call(0, 'c1', 'ad', '')], [call(0, undefined, 'add', '{"a":1}')]),
    add,
  ],
  [
    'with the name in each piece',
    calling([call(0, 'c1', 'add', '{"a"')], [call(0, 'c1', 'add', ':1}')]),
    add,
  ],
  [
    'with its id in each piece',
    calling([call(0, 'c1', 'add', '{"a"')], [call(0, 'c1', undefined, ':1}')]),
    add,
  ],
  [
    'with another id in each piece',
    calling([call(0, 'c1', 'add', '{"a"')], [call(0, 'c2', undefined, ':1}')], [call(0, 'c3', '', '')]),
    add,
  ],
  ['with an id that is a number', calling([call(0, 7 as unknown as string, 'add', '{"a":1}')]), add],
  [
    'without an index',
    calling([call(undefined, 'c1', 'add', '{"a"')], [call(undefined, undefined, undefined, ':1}')]),
    add,
  ],
  [
    'with an index that is a text',
    calling(
      [{ ...call(0, 'c1', 'add', '{"a"'), index: '0' }],
      [{ ...call(0, undefined, undefined, ':1}'), index: '0' }],
    ),
    add,
  ],
  ['without an id or an index', calling([call(undefined, undefined, 'add', '{"a":1}')]), add],
  [
    'without a list around it',
    events(said({ tool_calls: call(0, 'c1', 'add', '{"a":1}') }), said({}, 'tool_calls')),
    add,
  ],
  [
    'with arguments by the name in Llama’s template',
    calling([{ id: 'c1', function: { name: 'add', parameters: { a: 1 } } }]),
    add,
  ],
  ['with arguments by the name in LangChain', calling([{ id: 'c1', name: 'add', args: { a: 1 } }]), add],
  [
    'with arguments by the name in Anthropic’s protocol',
    calling([{ id: 'c1', name: 'add', input: { a: 1 } }]),
    add,
  ],
  ['with arguments in a block of code', calling([call(0, 'c1', 'add', '```json\n{"a":1}\n```')]), add],
  ['without a function around it', calling([{ id: 'c1', name: 'add', arguments: '{"a":1}' }]), add],
  [
    'as an old function',
    events(
      said({ function_call: { name: 'add', arguments: '' } }),
      said({ function_call: { arguments: '{"a":1}' } }),
      said({}, 'function_call'),
    ),
    add,
  ],
  ['with arguments that are an object', calling([call(0, 'c1', 'add', { a: 1 })]), add],
  [
    'with an empty object first',
    calling(
      [call(0, 'c1', 'add', '{}')],
      [call(0, undefined, undefined, '{"a":')],
      [call(0, undefined, undefined, '1}')],
    ),
    add,
  ],
  [
    'with an empty object first, as an object',
    calling([call(0, 'c1', 'add', {})], [call(0, undefined, undefined, '{"a":1}')]),
    add,
  ],
  [
    'with all arguments again at its end',
    calling(
      [call(0, 'c1', 'add', '{"a"')],
      [call(0, undefined, undefined, ':1}')],
      [call(0, 'c1', 'add', '{"a":1}')],
    ),
    add,
  ],
  [
    'with all pieces again',
    calling(...['{"a"', ':1}', '{"a"', ':1}'].map((piece) => [call(0, 'c1', 'add', piece)])),
    add,
  ],
  [
    'with all arguments so far in each piece',
    calling(...['{"a"', '{"a":', '{"a":1}'].map((piece) => [call(0, 'c1', 'add', piece)])),
    add,
  ],
  ['with arguments that are a text in a text', calling([call(0, 'c1', 'add', '"{\\"a\\":1}"')]), add],
  [
    'with blanks behind its arguments',
    calling([call(0, 'c1', 'add', '{"a":1}')], [call(0, undefined, undefined, '  \n')]),
    add,
  ],
  [
    'of a whole message',
    JSON.stringify({
      ...about,
      choices: [
        {
          message: { content: null, tool_calls: [call(undefined, 'c1', 'add', '{"a":1}')] },
          finish_reason: 'tool_calls',
        },
      ],
    }),
    add,
  ],
  [
    'of Ollama itself',
    `${JSON.stringify({ message: { content: '', tool_calls: [{ function: { index: 0, name: 'add', arguments: { a: 1 } } }] }, done: true })}\n`,
    add,
  ],
  ['with empty arguments', calling([call(0, 'c1', 'add', '')]), [['add', '{}']]],
  ['with arguments that are null', calling([call(0, 'c1', 'add', 'null')]), [['add', '{}']]],
  ['without arguments', calling([call(0, 'c1', 'add')]), [['add', '{}']]],
  ['with what is not JSON', calling([call(0, 'c1', 'add', '{"a":')]), [['add', '{"a":']]],
  ['and an empty one', calling([call(0, 'c1', 'add', '{"a":1}')], [{ index: 1 }]), add],
  [
    'with long numbers',
    calling([call(0, 'c1', 'add', '{"a":12345678901234567890}')]),
    [['add', '{"a":12345678901234567890}']],
  ],
  [
    'with long numbers in an object',
    events(
      `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"add","arguments":{"a":12345678901234567890}}}]}}]}`,
      said({}, 'tool_calls'),
    ),
    [['add', '{"a":12345678901234567890}']],
  ],
  ['two in one event', calling([call(0, 'c1', 'add', '{"a":1}'), call(1, 'c2', 'sub', '{"b":2}')]), two],
  [
    'two that are interleaved',
    calling(
      [call(0, 'c1', 'add', '{"a"'), call(1, 'c2', 'sub', '{"b"')],
      [call(1, undefined, undefined, ':2}'), call(0, undefined, undefined, ':1}')],
    ),
    two,
  ],
  ['two with one index', calling([call(0, 'c1', 'add', '{"a":1}')], [call(0, 'c2', 'sub', '{"b":2}')]), two],
  [
    'two with one index and no ids',
    calling([call(0, undefined, 'add', '{"a":1}')], [call(0, undefined, 'sub', '{"b":2}')]),
    two,
  ],
  [
    'two with one index, in pieces',
    calling(
      [call(0, 'c1', 'add', '{"a"')],
      [call(0, undefined, undefined, ':1}')],
      [call(0, 'c2', 'sub', '{"b"')],
      [call(0, undefined, undefined, ':2}')],
    ),
    two,
  ],
  [
    'two without an index',
    calling([call(undefined, 'c1', 'add', '{"a":1}'), call(undefined, 'c2', 'sub', '{"b":2}')]),
    two,
  ],
  [
    'two without an index or an id',
    calling([call(undefined, undefined, 'add', '{"a":1}'), call(undefined, undefined, 'sub', '{"b":2}')]),
    two,
  ],
  ['two with one id', calling([call(0, 'c1', 'add', '{"a":1}'), call(1, 'c1', 'sub', '{"b":2}')]), two],
  [
    'two of one tool with one index and no ids',
    calling([call(0, undefined, 'add', '{"a":1}')], [call(0, undefined, 'add', '{"a":2}')]),
    [
      ['add', '{"a":1}'],
      ['add', '{"a":2}'],
    ],
  ],
] as [string, string, Calls][])('a call %s is read', async (_name, text, calls) => {
  for (const shares of [[], [0.3, 0.6]]) {
    const read = await byReader(cut(text, shares))
    expect(read).toMatchObject({ calls, text: '', failed: null })
    expect(read.finish[0]).toBe('tool-calls')
    expect([new Set(read.ids).size, read.ids.every(Boolean)]).toEqual([calls.length, true])
  }
})

verifies.each('llm.complete.result')([
  ['stop', said({}, 'stop'), 'tool-calls'],
  ['a word that nobody knows', said({}, 'weird'), 'tool-calls'],
  ['no reason', '[DONE]', 'tool-calls'],
  ['length', said({}, 'length'), 'length'],
])('an answer that calls a tool and ends with %s', async (_name, end, finish) => {
  const text = events(said({ tool_calls: [call(0, 'c1', 'add', '{"a":1}')] }), end)
  expect(await byReader(cut(text, []))).toMatchObject({
    calls: add,
    finish: expect.arrayContaining([finish]),
  })
})

verifies('llm.complete.result', 'a call tells the signature of its thought', async () => {
  const signed = { ...call(0, 'c1', 'add', '{}'), extra_content: { google: { thought_signature: 'sig' } } }
  const { parts } = await byReader(cut(calling([signed]), []))
  expect(parts.find(({ type }) => type === 'tool-call')).toMatchObject({
    providerMetadata: { 'openai-compatible': { thoughtSignature: 'sig' } },
  })
})

verifies('decision.model.failures', 'a call without a name is not a completion', async () => {
  expect((await byReader(cut(calling([call(0, 'c1', undefined, '{}')]), []))).failed).toBe('malformed')
})
