import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { about, byReader, cut, events, expectSame, said } from '../../../testing/chat-answers.ts'
import { openAlike } from './alike.ts'

const word = (text: string) => JSON.stringify(said({ content: text }))
const stop = said({}, 'stop')
const odd = (delta: string) => `{"choices":[{"delta":${delta}}]}`

verifies.each('llm.complete.result')([
  ['texts', [word('a'), word('b'), word(''), word('c')]],
  ['what JSON escapes', [word('a'), word('"'), word('\\'), word('\n"\\"'), word('é🙂'), word('b')]],
  [
    'escapes that need none, and half a letter',
    [odd('{"content":"a"}'), odd('{"content":"\\u0062\\/"}'), odd('{"content":"\\ud83d"}')],
  ],
  [
    'white space',
    [
      `{ "choices" : [ { "delta" : { "content" : "a" } } ] }`,
      `{ "choices" : [ { "delta" : { "content" : "b" } } ] }`,
    ],
  ],
  [
    'a thought and what is said',
    ['a', 'b', 'c'].flatMap((text) => [said({ reasoning: text }), said({ content: text })]),
  ],
  [
    'thoughts under two names',
    [
      odd('{"reasoning_content":"a","reasoning":"b"}'),
      odd('{"reasoning_content":"","reasoning":"b"}'),
      odd('{"reasoning_content":"c","reasoning":"b"}'),
    ],
  ],
  [
    'a name twice',
    [
      odd('{"content":"a","content":"b"}'),
      odd('{"content":"c","content":"b"}'),
      odd('{"content":"b","content":"b"}'),
      odd('{"content":"a","content":"b"}'),
    ],
  ],
  [
    'a name that ends as another',
    [odd('{"\\"content":"a","content":"b"}'), odd('{"\\"content":"c","content":"b"}')],
  ],
  [
    'a name in a text',
    [odd('{"content":"\\"content\\":\\"a\\""}'), odd('{"content":"\\"content\\":\\"b\\""}')],
  ],
  ['a text beside the delta', ['a', 'b'].map((text) => ({ ...said({ content: 'x' }), content: text }))],
  [
    'a second choice',
    ['a', 'b'].map((content) => ({ choices: [{ delta: { content: 'x' } }, { delta: { content } }] })),
  ],
  ['a control character', [odd('{"content":"a"}'), odd('{"content":"\u0001"}'), stop]],
  ['a quote that is not escaped', [odd('{"content":"a"}'), odd('{"content":"b"c"}'), stop]],
  ['more fields behind the text', [odd('{"content":"a"}'), odd('{"content":"b","refusal":"c"}')]],
  [
    'a field before it',
    [odd('{"content":"a"}'), `{"choices":[{"finish_reason":"stop","delta":{"content":"a"}}]}`],
  ],
  [
    'usage in each event',
    [1, 2, 2].map((n) => ({ ...said({ content: 'a' }), usage: { prompt_tokens: n, completion_tokens: n } })),
  ],
  [
    'a finish reason in each event',
    ['a', 'b'].map((content) => said({ content }, content === 'a' ? 'length' : null)),
  ],
  [
    'another id in each event',
    ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ ...said({ content: 'x' }), id })),
  ],
  [
    'an error in each event',
    ['a', 'b'].map((content) => ({ ...said({ content }), error: { message: 'no' } })),
  ],
  [
    'a tool call between',
    [
      word('a'),
      said({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'f', arguments: '{}' } }] }),
      word('a'),
      word('b'),
    ],
  ],
  [
    'a text beside a tool call',
    ['a', 'b'].map((content) =>
      said({ content, tool_calls: [{ index: 0, id: 'call_1', function: { name: 'f', arguments: '{' } }] }),
    ),
  ],
  ['a refusal between', [word('a'), said({ refusal: 'no' }), word('a'), word('b')]],
])('events in a row read as the provider reads them: %s', async (_name, data) => {
  const texts = [events(...data, stop, '[DONE]'), events(...data), events(...data).slice(0, -1)]
  for (const text of texts) await expectSame(cut(text, []))
  for (const text of texts.slice(0, rounds(texts.length, 1)))
    await expectSame([...new TextEncoder().encode(text)].map((byte) => Uint8Array.of(byte)))
})

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('', '"', '\\', '\\"', '"}', '\n\n', '","content":"'),
)
const field = fc.constantFrom('content', 'reasoning', 'reasoning_content')
/** A run of events that differ in one text; some of them have more such names. */
const run = fc
  .record({
    field,
    texts: fc.array(text, { minLength: 1, maxLength: 5 }),
    more: fc.dictionary(fc.constantFrom('content', 'refusal', 'x', '"content'), fc.option(text), {
      maxKeys: 2,
    }),
    isFirst: fc.boolean(),
    space: fc.constantFrom(undefined, 1),
    isOfServer: fc.boolean(),
    end: fc.constantFrom('\n\n', '\n\n', '\n\n', '\n\n\n', '\r\n\r\n', '\n\n: ping\n\n'),
  })
  .map(({ field, texts, more, isFirst, space, isOfServer, end }) =>
    texts
      .map((one) => {
        const delta = isFirst ? { [field]: one, ...more } : { ...more, [field]: one }
        const chunk = { ...(isOfServer && about), choices: [{ index: 0, delta }] }
        return `data: ${JSON.stringify(chunk, null, space).replaceAll('\n', '')}${end}`
      })
      .join(''),
  )

verifies(
  'llm.complete.result',
  'whatever repeats in an answer, and however it is cut, reads as the provider reads it',
  async () => {
    const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(fc.array(run, { maxLength: 4 }), shares, (runs, cuts) =>
        expectSame(cut(runs.join(''), cuts)),
      ),
      { numRuns: rounds(200) },
    )
  },
)

verifies('llm.complete.result', 'an answer of many alike events is read as it was written', async () => {
  const texts = Array.from({ length: 500 }, (_, at) => ` ${at} "\\${'x'.repeat(at % 20)}`)
  const { parts } = await byReader(cut(events(...texts.map(word), stop), [0.1, 0.2, 0.33, 0.9]))
  expect(parts.flatMap((part) => (part as { delta?: string }).delta ?? [])).toEqual(texts)
})

/** What reads alike events, and the texts that it heard. */
function opened() {
  const heard: string[] = []
  return { heard, alike: openAlike((field, text) => void heard.push(`${field} ${text}`)) }
}

it('events that are alike are read without parsing them, up to one that differs', () => {
  const { heard, alike } = opened()
  const [first, before, three] = [events(word('a')), 'before', events(word('b'), word('"'), word('c'))]
  expect(alike.read(three, 0)).toBe(0)
  alike.learn(word('a'), JSON.parse(word('a')))
  expect(alike.read(three, 0)).toBe(three.length)
  expect(alike.read(before + three + events(stop) + first, before.length)).toBe(before.length + three.length)
  const texts = ['content b', 'content "', 'content c']
  expect(heard).toEqual([...texts, ...texts])
  alike.forget()
  expect([alike.read(three, 0), heard.length]).toEqual([0, 6])
})

it('nothing more is learned after four events in a row that were like no other', () => {
  const { heard, alike } = opened()
  const learn = (id: string) => {
    const chunk = { id, choices: [{ delta: { content: 'a' } }] }
    alike.learn(JSON.stringify(chunk), chunk)
    return events(JSON.stringify(chunk))
  }
  for (const id of ['a', 'b', 'c']) learn(id)
  // One that is alike, and it counts from there.
  expect(alike.read(learn('d'), 0)).toBeGreaterThan(0)
  const open = ['e', 'f', 'g', 'h', 'i'].map((id) => [alike.isOpen(), learn(id)][0])
  expect([...open, alike.isOpen()]).toEqual([true, true, true, true, true, false])
  expect([alike.read(learn('j'), 0), heard]).toEqual([0, ['content a']])
})
