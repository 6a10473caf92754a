import { expect, it } from 'vitest'
import { plainSchema } from './plain-schema.ts'

const text = { type: 'string' }
const top = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })

it.each<[string, unknown, object]>([
  ['one that is plain', top({ q: text }, { required: ['q'] }), top({ q: text }, { required: ['q'] })],
  ['nothing', undefined, top({})],
  ['true', true, top({})],
  ['an object without properties', { type: 'object' }, top({})],
  ['no type', { properties: { q: text } }, top({ q: text })],
  ['a type that may be null', { type: ['object', 'null'], properties: { q: text } }, top({ q: text })],
  [
    'what it says of itself',
    { $schema: 'x', $id: 'y', $comment: 'z', ...top({ q: text }) },
    top({ q: text }),
  ],
  [
    'a reference',
    { ...top({ q: { $ref: '#/$defs/q', description: 'd' } }), $defs: { q: text } },
    top({ q: { ...text, description: 'd' } }),
  ],
  [
    'a reference of older drafts',
    { ...top({ q: { $ref: '#/definitions/a~1b' } }), definitions: { 'a/b': text } },
    top({ q: text }),
  ],
  ['a reference at the top', { $ref: '#/$defs/args', $defs: { args: top({ q: text }) } }, top({ q: text })],
  ['a reference to nowhere', top({ q: { $ref: '#/$defs/none' } }), top({ q: {} })],
  ['a reference to elsewhere', top({ q: { $ref: 'https://site.org/s.json' } }), top({ q: {} })],
  ['a reference to itself', top({ q: { $ref: '#' } }), top({ q: {} })],
  [
    'a tree',
    {
      ...top({ q: { $ref: '#/$defs/n' } }),
      $defs: { n: top({ to: { type: 'array', items: { $ref: '#/$defs/n' } } }) },
    },
    top({ q: top({ to: { type: 'array', items: {} } }) }),
  ],
  ['a constant', top({ q: { const: 'a' } }), top({ q: { enum: ['a'] } })],
  ['a boolean schema', top({ q: true, r: false }), top({ q: {}, r: {} })],
  ['a list without items', top({ q: { type: 'array' } }), top({ q: { type: 'array', items: {} } })],
  [
    'a tuple',
    top({ q: { type: 'array', prefixItems: [text, { type: 'number' }], items: false } }),
    top({ q: { type: 'array', items: { anyOf: [text, { type: 'number' }] } } }),
  ],
  [
    'a tuple of older drafts',
    top({ q: { type: 'array', items: [text] } }),
    top({ q: { type: 'array', items: text } }),
  ],
  [
    'branches at the top',
    { anyOf: [top({ a: text }, { required: ['a'] }), top({ b: text })] },
    top({ a: text, b: text }),
  ],
  [
    'parts at the top',
    { allOf: [top({ a: text }, { required: ['a'] }), top({ b: text })] },
    top({ a: text, b: text }, { required: ['a'] }),
  ],
  ['an empty list of what is needed', top({ q: text }, { required: [] }), top({ q: text })],
  [
    'what is needed and not there',
    top({ q: text }, { required: ['q', 'r'] }),
    top({ q: text }, { required: ['q'] }),
  ],
  ['branches without any', top({ q: { anyOf: [] } }), top({ q: {} })],
  [
    'whether there may be more',
    top({ q: text }, { additionalProperties: false }),
    top({ q: text }, { additionalProperties: false }),
  ],
  [
    'an argument with the name of a member',
    top({ $ref: text, const: text }),
    top({ $ref: text, const: text }),
  ],
  [
    'a default',
    top({ q: { ...text, default: 'a', examples: ['b'] } }),
    top({ q: { ...text, default: 'a', examples: ['b'] } }),
  ],
])('%s', (_name, schema, expected) => {
  expect(plainSchema(schema)).toEqual(expected)
})

it('a schema that repeats what repeats others ends', () => {
  const names = Array.from({ length: 30 }, (_, at) => `n${at}`)
  const $defs = Object.fromEntries(
    names.map((name, at) => [
      name,
      top({ a: { $ref: `#/$defs/n${at + 1}` }, b: { $ref: `#/$defs/n${at + 1}` } }),
    ]),
  )
  expect(JSON.stringify(plainSchema({ ...top({ q: { $ref: '#/$defs/n0' } }), $defs })).length).toBeLessThan(
    200_000,
  )
})
