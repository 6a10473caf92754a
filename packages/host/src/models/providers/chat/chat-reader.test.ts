import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect } from 'vitest'
import { about, byReader, cut, events, expectSame, said } from '../../../testing/chat-answers.ts'

const called = (...tool_calls: unknown[]) => said({ tool_calls })
const stop = said({}, 'stop')
const usage = {
  prompt_tokens: 9,
  completion_tokens: 8,
  total_tokens: 17,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: {
    reasoning_tokens: 3,
    accepted_prediction_tokens: 1,
    rejected_prediction_tokens: 2,
  },
}

verifies.each('llm.complete.result')([
  [
    'text',
    events(
      said({ role: 'assistant', content: '' }),
      said({ content: 'Hé' }),
      said({ content: 'llo 🙂' }),
      stop,
      '[DONE]',
    ),
  ],
  [
    'usage with its details',
    events(said({ content: 'a' }), stop, { ...about, choices: [], usage }, '[DONE]'),
  ],
  [
    'usage without them',
    events(said({ content: 'a' }), { ...stop, usage: { prompt_tokens: 1, completion_tokens: null } }),
  ],
  [
    'reasoning, under both names',
    events(said({ reasoning_content: 'hm' }), said({ reasoning: 'so' }), said({ content: 'a' }), stop),
  ],
  [
    'text between two thoughts',
    events(said({ reasoning: 'hm' }), said({ content: 'a' }), said({ reasoning: 'm' }), stop),
  ],
  [
    'content that is a list',
    events(
      said({
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }, null, 3] },
          { type: 'text', text: 'a' },
          { type: 'x' },
        ],
      }),
      stop,
    ),
  ],
  ['a refusal', events(said({ refusal: 'no' }), stop)],
  ['a refusal that is none', events(said({ refusal: { why: 1 }, content: 'a' }), stop)],
  [
    'a tool call in pieces',
    events(
      called({ index: 0, id: 'call_1', function: { name: 'add', arguments: '' } }),
      called({ index: 0, function: { arguments: '{"a":' } }),
      called({ index: 0, function: { arguments: '1}' } }),
      said({}, 'tool_calls'),
    ),
  ],
  [
    'two that are interleaved',
    events(
      called(
        { index: 0, id: 'call_1', function: { name: 'a', arguments: '{' } },
        { index: 1, id: 'call_2', function: { name: 'b', arguments: '{"x":1' } },
      ),
      called({ index: 1, function: { arguments: '}' } }, { index: 0, function: { arguments: '}' } }),
      said({}, 'tool_calls'),
    ),
  ],
  [
    'arguments before the name',
    events(
      called({ index: 0, id: 'call_1', function: { arguments: '{"a":' } }),
      called({ index: 0, function: { name: 'add', arguments: '1}' } }),
      said({}, 'tool_calls'),
    ),
  ],
  [
    'two ids of one call',
    events(
      called({ index: 0, id: 'call_1', function: { arguments: '{}' } }),
      called({ index: 0, id: 'call_2', function: { name: 'a' } }),
      said({}, 'tool_calls'),
    ),
  ],
  [
    'a call without a name',
    events(called({ index: 0, id: 'call_1', function: { arguments: '{}' } }), said({}, 'tool_calls')),
  ],
  [
    'calls without an index or an id',
    events(
      called({ function: { name: 'a', arguments: '{}' } }),
      called({ function: { name: 'b', arguments: '{}' } }),
      said({}, 'tool_calls'),
    ),
  ],
  [
    'a signature of a thought',
    events(
      called({
        index: 0,
        id: 'call_1',
        function: { name: 'a', arguments: '{}' },
        extra_content: { google: { thought_signature: 'sig' } },
      }),
      said({}, 'tool_calls'),
    ),
  ],
  [
    'a call behind reasoning',
    events(
      said({ reasoning: 'hm' }),
      called({ index: 0, id: 'call_1', function: { name: 'a', arguments: '{}' } }),
      said({}, 'function_call'),
    ),
  ],
  ['a finish that is new', events(said({ content: 'a' }, 'something'))],
  ['no finish', events(said({ content: 'a' }))],
  ['nothing', ''],
  ['a page', '<!doctype html><title>no</title>'],
  [
    'an error',
    events(said({ content: 'a' }), { error: { message: 'no', type: 'x', code: 503, statusCode: 400 } }),
  ],
  ['an error beside choices', events({ ...said({ content: 'a' }), error: { statusCode: 400 } })],
  ['an error that is null', events({ ...said({ content: 'a' }), error: null }, stop)],
  ['an error that is a text', events({ error: 'no' })],
  ['what is not JSON', events(said({ content: 'a' }), '{"choices"', stop)],
  ['a prototype', events('{"choices":[],"\\u005f_proto__":{"a":1}}', stop)],
  ['a delta of another type', events(said({ content: 3 }), stop)],
  ['a number that is none', events('{"choices":[],"created":1e999}', stop)],
  ['a role of another', events(said({ role: 'user', content: 'a' }), stop)],
  ['a call without a function', events(called({ index: 0, id: 'call_1' }), stop)],
  ['null', events('null', stop)],
  [
    'comments, other fields, CRLF and CR',
    `: hi\r\nevent: x\r\nid: 3\r\nretry: 9\r\ndata: ${JSON.stringify(said({ content: 'a' }))}\r\n\r\nwhat\rdata:${JSON.stringify(stop)}\r\r`,
  ],
  [
    'an event of several lines',
    'data: {"choices":[{"delta":\ndata: {"content":"a"}}]}\n\ndata: {"choices":[{"finish_reason":"length"}]}\n\n',
  ],
  ['an event without an end', `${events(said({ content: 'a' }))}data: ${JSON.stringify(stop)}`],
  ['a mark of byte order', `\uFEFF${events(said({ content: 'a' }), stop)}`],
])('%s reads as the provider reads it, whole and byte by byte', async (_name, text) => {
  await expectSame(cut(text, []))
  await expectSame([...new TextEncoder().encode(text)].map((byte) => Uint8Array.of(byte)))
})

const answered = cut(events(said({ content: 'a' }), stop), [])
const flood = (line: string, count: number) => new TextEncoder().encode(line.repeat(count))

verifies.each('decision.model.cap')([
  ['as many lines of no field as may be', 4_096, null],
  ['one more', 4_097, 'malformed'],
])('%s before an answer', async (_name, count, failed) => {
  expect((await byReader([flood('a\n', count), ...answered])).failed).toBe(failed)
})

const word = fc.oneof(fc.constant(''), fc.string({ unit: 'binary', maxLength: 6 }))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 3 })
const toolCall = fc.record(
  {
    index: fc.oneof(maybe(fc.nat({ max: 2 })), fc.constant('0')),
    id: maybe(fc.constantFrom('call_1', 'call_2', '')),
    function: fc.record(
      {
        name: maybe(fc.constantFrom('a', 'b', ' ')),
        arguments: maybe(fc.constantFrom('', '{', '{}', '"x":1}', '}')),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['function'] },
)
const delta = fc.record(
  {
    role: fc.constantFrom('assistant', '', null, 'tool'),
    content: fc.oneof(
      { weight: 4, arbitrary: maybe(word) },
      { weight: 1, arbitrary: fc.array(fc.record({ type: fc.constant('text'), text: word })) },
      { weight: 1, arbitrary: fc.jsonValue() },
    ),
    reasoning: maybe(word),
    reasoning_content: maybe(word),
    refusal: fc.oneof(maybe(word), fc.jsonValue()),
    tool_calls: maybe(fc.array(toolCall, { maxLength: 3 })),
  },
  { requiredKeys: [] },
)
const event = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record(
        { delta: maybe(delta), finish_reason: maybe(fc.constantFrom('stop', 'length', 'tool_calls', 'x')) },
        { requiredKeys: [] },
      )
      .map((choice) => JSON.stringify({ ...about, choices: [choice] })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      JSON.stringify({ choices: [], usage }),
      '[DONE]',
      '{"error":{"message":"no"}}',
    ),
  },
  { weight: 1, arbitrary: fc.json({ maxDepth: 2 }) },
)
const end = fc.constantFrom('\n\n', '\r\n\r\n', '\n\n: ping\n\n', '\r\r')

verifies(
  'llm.complete.result',
  'whatever a server sends, and however it is cut, reads as the provider reads it',
  async () => {
    const answers = fc.array(fc.tuple(event, end), { maxLength: 8 })
    const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(answers, shares, (answer, cuts) =>
        expectSame(cut(answer.map(([data, ends]) => `data: ${data}${ends}`).join(''), cuts)),
      ),
      { numRuns: rounds(200) },
    )
  },
)
