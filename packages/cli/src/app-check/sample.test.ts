import { outputProblems } from '@svc/contract'
import { expect, it } from 'vitest'
import { sampleOf } from './sample.ts'

it.each([
  [
    'an object with all of its properties',
    {
      type: 'object',
      properties: { rows: { type: 'integer' }, name: { type: 'string' } },
      required: ['rows'],
    },
  ],
  ['bounds of a number', { type: 'number', minimum: 5, maximum: 9 }],
  ['a number of at most zero', { type: 'number', maximum: 0 }],
  ['as many items as there must be', { type: 'array', minItems: 2, items: { type: 'boolean' } }],
  ['one of several', { anyOf: [{ type: 'null' }, { type: 'string' }] }],
  ['names', { enum: ['red', 'green'] }],
  ['a constant', { const: 7 }],
  ['a text of some length', { type: 'string', minLength: 9 }],
  [
    'a reference',
    { type: 'object', properties: { at: { $ref: '#/$defs/place' } }, $defs: { place: { type: 'string' } } },
  ],
  [
    'parts of one object',
    {
      allOf: [
        { type: 'object', properties: { a: { type: 'null' } } },
        { type: 'object', properties: { b: { type: 'null' } } },
      ],
    },
  ],
])('makes what a schema says: %s', (_, schema) => {
  expect(outputProblems(schema, sampleOf(schema))).toEqual({ problems: [] })
})

it('ends where a schema leads to itself', () => {
  const schema = {
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    $ref: '#/$defs/node',
  }
  expect(JSON.stringify(sampleOf(schema))).toContain('"next"')
})

it('has an object where there is no schema', () => {
  expect(sampleOf(undefined)).toEqual({})
})
