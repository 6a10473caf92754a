import { expect, it } from 'vitest'
import { readDigest } from './read-digest.ts'

it.each([
  ['JSON alone', '{"title":"A","summary":"B"}', { title: ['A'], summary: ['B'] }],
  [
    'a fence and a sentence',
    'Here it is:\n```json\n{"title": "A {x}"}\n```\nAnything else?',
    { title: ['A {x}'] },
  ],
  [
    'keys in other spellings',
    '{"Title":"A","keyPoints":["B"],"Key Points ":["C"]}',
    { title: ['A'], key_points: ['C'] },
  ],
  ['a list where text was asked for', '{"summary":["One.","Two."]}', { summary: ['One. Two.'] }],
  ['text where a list was asked for', '{"people":"Ada"}', { people: ['Ada'] }],
  ['objects in a list', '{"dates":[{"date":"1883","event":"eruption"}]}', { dates: ['1883: eruption'] }],
  [
    'numbers, nothing and emptiness',
    '{"dates":[1883,null,"",{}],"people":[],"title":null}',
    { dates: ['1883'] },
  ],
  ['fields that nobody asked for', '{"mood":"grim","title":"A"}', { title: ['A'] }],
  ['none of the fields', '{"mood":"grim"}', null],
  ['no JSON', 'I cannot do that.', null],
  ['JSON that was cut off', '{"title":"A","summary":"B', null],
  ['a list', '["A"]', null],
  ['nothing', '', null],
])('%s', (_name, said, digest) => {
  expect(readDigest(said)).toEqual(digest)
})
