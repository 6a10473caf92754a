import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { about, byReader, cut, events, said } from '../../../testing/chat-answers.ts'
import { openRepeats } from './repeats.ts'

const word = (text: string) => JSON.stringify(said({ content: text }))
const odd = (delta: string) => `{"choices":[{"delta":${delta}}]}`

verifies.each('llm.complete.result')([
  ['texts', [word('a'), word('b'), word(''), word('c')], 'abc'],
  ['what JSON escapes', [word('a'), word('"'), word('\\'), word('\n'), word('é🙂'), word('b')], 'a"\\\né🙂b'],
  [
    'escapes that need none',
    [odd('{"content":"a"}'), odd('{"content":"\\u0062\\/"}'), odd('{"content":"c"}')],
    'ab/c',
  ],
  ['blanks', ['a', 'b'].map((text) => `{ "choices": [{ "delta": { "content": "${text}" } }] }`), 'ab'],
  [
    'a name twice',
    [
      odd('{"content":"a","content":"b"}'),
      odd('{"content":"c","content":"b"}'),
      odd('{"content":"a","content":"d"}'),
    ],
    'bbd',
  ],
  [
    'a name that ends as another',
    [odd('{"\\"content":"a","content":"b"}'), odd('{"\\"content":"c","content":"b"}')],
    'bb',
  ],
  [
    'a name in a text',
    [odd('{"content":"\\"content\\":\\"a\\""}'), odd('{"content":"\\"content\\":\\"b\\""}')],
    '"content":"a""content":"b"',
  ],
  ['a text beside the delta', ['a', 'b'].map((content) => ({ ...said({ content: 'x' }), content })), 'xx'],
  [
    'a second choice',
    ['a', 'b'].map((content) => ({ choices: [{ delta: { content: 'x' } }, { delta: { content } }] })),
    'xx',
  ],
  ['what is not JSON inside', [odd('{"content":"a"}'), odd('{"content":"a"}}'), odd('{"content":"b"}')], 'a'],
  [
    'a thought that repeats',
    [odd('{"reasoning":"h","content":"a"}'), odd('{"reasoning":"h","content":"b"}')],
    'ab',
  ],
] as [string, unknown[], string][])(
  'events that differ in their text alone: %s',
  async (_name, data, text) => {
    expect((await byReader(cut(events(...data, said({}, 'stop')), []))).text).toBe(text)
  },
)

verifies(
  'llm.complete.result',
  'an answer of any texts is read as it was written, however it is cut',
  async () => {
    const texts = fc.array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 6 }),
        fc.constantFrom('', '"', '\\"', '","content":"', '"}'),
      ),
      { maxLength: 12 },
    )
    const more = fc.dictionary(fc.constantFrom('x', 'role', '"content'), fc.string({ maxLength: 4 }), {
      maxKeys: 2,
    })
    const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(texts, more, fc.boolean(), shares, async (said_, besides, isFirst, cuts) => {
        const chunks = said_.map((content) => ({
          ...about,
          choices: [{ delta: isFirst ? { content, ...besides } : { ...besides, content } }],
        }))
        const { text, failed } = await byReader(cut(events(...chunks, said({}, 'stop')), cuts))
        expect([text, failed]).toEqual([said_.join('').toWellFormed(), null])
      }),
      { numRuns: rounds(200) },
    )
  },
)

it('nothing more is learnt after four events in a row that were like no other', () => {
  const repeats = openRepeats()
  const learnt = (id: string) => {
    const data = JSON.stringify({ id, choices: [{ delta: { content: 'a' } }] })
    repeats.learn(data, 'a')
    return repeats.textOf(data)
  }
  const unused = (id: string) => {
    repeats.learn(JSON.stringify({ id, choices: [{ delta: { content: 'a' } }] }), 'a')
  }
  expect(learnt('a')).toBe('a')
  for (const id of ['b', 'c', 'd', 'e']) unused(id)
  expect(learnt('f')).toBe(null)
})
