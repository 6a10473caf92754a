import { expect, it } from 'vitest'
import type { Target } from './references.ts'
import { schemaWriter } from './schema-type.ts'

const nameOf = ({ name }: Target) => `T${name}`
const argsOf = (schema: object) => schemaWriter({ ...schema }, { io: 'args', nameOf })(schema, '').text
const resultOf = (schema: object) => schemaWriter({ ...schema }, { io: 'result', nameOf })(schema, '').text

it.each([
  [{ type: 'string' }, 'string'],
  [{ type: 'number' }, 'number'],
  [{ type: 'integer', minimum: 3 }, 'number'],
  [{ type: 'boolean' }, 'boolean'],
  [{ type: 'null' }, 'null'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ type: ['integer', 'number'] }, 'number'],
  [{ type: 'string', nullable: true }, 'string | null'],
  [{ type: [] }, 'unknown'],
  [{ type: 'date' }, 'unknown'],
  [{ type: 7 }, 'unknown'],
  [{}, 'unknown'],
  [{ not: {} }, 'unknown'],
  [{ enum: ['a', 7, true, null, 'a'] }, "'a' | 7 | true | null"],
  [{ enum: ["it's", 'a\nb', 'a\\b', '\u202e'] }, "'it\\'s' | 'a\\nb' | 'a\\\\b' | '\\u202e'"],
  [{ enum: [{ a: 1 }, [1], Number.POSITIVE_INFINITY] }, 'Record<string, unknown> | unknown[] | number'],
  [{ enum: [] }, 'never'],
  [{ type: 'string', enum: ['a'] }, "'a'"],
  [{ const: 'a', type: 'string' }, "'a'"],
  [{ const: -0.5 }, '-0.5'],
  [{ const: null }, 'null'],
  [{ type: 'array' }, 'unknown[]'],
  [{ type: 'array', items: { type: 'string' } }, 'string[]'],
  [{ items: { type: ['string', 'null'] } }, '(string | null)[]'],
  [{ type: 'array', items: false }, 'never[]'],
  [{ type: 'array', items: { type: 'number' }, minItems: 3, maxItems: 3 }, '[number, number, number]'],
  [{ type: 'array', items: { type: 'number' }, minItems: 9, maxItems: 9 }, 'number[]'],
  [{ type: 'array', items: { type: 'number' }, minItems: '2', maxItems: '2' }, 'number[]'],
  [{ prefixItems: [{ type: 'number' }, { type: 'string' }], minItems: 1, items: false }, '[number, string?]'],
  [{ prefixItems: [{ type: 'number' }, {}], minItems: 1, maxItems: 1 }, '[number]'],
  [{ prefixItems: [{ type: 'number' }], maxItems: 0 }, '[]'],
  [{ prefixItems: [{ type: ['number', 'null'] }] }, '[(number | null)?, ...unknown[]]'],
  [
    { items: [{ type: 'number' }], minItems: 1, additionalItems: { type: 'string' } },
    '[number, ...string[]]',
  ],
  [{ type: 'object' }, 'Record<string, unknown>'],
  [{ type: 'object', properties: {} }, 'Record<string, unknown>'],
  [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, '{ [key: string]: number }'],
  [
    { type: 'object', patternProperties: { '^a': {} }, additionalProperties: false },
    'Record<string, unknown>',
  ],
  [{ anyOf: [{ type: 'string' }, { type: 'array', items: {} }] }, 'string | unknown[]'],
  [{ oneOf: [{ type: 'string' }, {}] }, 'unknown'],
  [{ allOf: [{ type: 'string' }, {}] }, 'string'],
  [{ allOf: [{ type: 'string' }, { enum: ['a', 'b'] }] }, "string & ('a' | 'b')"],
  [{ type: 'object', anyOf: [{ $ref: '#/$defs/A' }], $defs: { A: {} } }, 'TA'],
  [
    { items: { allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }] }, $defs: { A: {}, B: {} } },
    '(TA & TB)[]',
  ],
  [{ $ref: '#/$defs/A', $defs: { A: { type: 'string' } } }, 'TA'],
  [{ $ref: '#/$defs/a~1b~0%20c', $defs: { 'a/b~ c': {} } }, 'Ta/b~ c'],
  [{ items: { $ref: '#' } }, 'T[]'],
  [{ $ref: '#/$defs/gone' }, 'unknown'],
  [{ $ref: '#/$defs/__proto__' }, 'unknown'],
  [{ $ref: '#/%' }, 'unknown'],
  [{ $ref: 'https://site.org/a.json' }, 'unknown'],
  [{ $ref: 'file:///etc/passwd' }, 'unknown'],
  [{ $ref: 7 }, 'unknown'],
])('%j is %s', (schema, text) => {
  expect(resultOf(schema)).toBe(text)
})

it('writes a member on each line, in the order of their names', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'What it is called.' },
      'a b': { type: 'number' },
      class: true,
      days: { type: 'integer', default: 3 },
      never: false,
    },
    required: ['name', 'other', 7],
  }
  expect(argsOf(schema)).toBe(`{
  'a b'?: number | undefined
  class?: unknown
  /** Default: 3 */
  days?: number | undefined
  /** What it is called. */
  name: string
  never?: undefined
  other: unknown
}`)
  expect(resultOf(schema)).toContain(`\n  'a b'?: number\n`)
})

it('leaves an object open that may have more members', () => {
  const schema = { properties: { a: { type: 'string' } }, additionalProperties: { type: 'number' } }
  expect(resultOf(schema)).toBe(`{\n  a?: string\n  [key: string]: unknown\n}`)
})

it('requires one of several members', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  }
  expect(resultOf(schema)).toBe(`{
  a?: string
  b?: string
} & ({
  a: unknown
} | {
  b: unknown
})`)
})

it('gives each of many values a line', () => {
  const values = Array.from({ length: 12 }, (_, at) => `value ${at}`)
  expect(argsOf({ properties: { a: { enum: values } } })).toBe(
    `{\n  a?:\n${[...values.map((value) => `'${value}'`), 'undefined'].map((value) => `    | ${value}\n`).join('')}}`,
  )
})

it.each([
  ['itself', { A: { $ref: '#/$defs/A' } }],
  [
    'itself by two others',
    {
      A: { anyOf: [{ $ref: '#/$defs/B' }] },
      B: { allOf: [{ $ref: '#/$defs/C' }] },
      C: { $ref: '#/$defs/A' },
    },
  ],
])('a named type that is in the end %s is unknown', (_, $defs) => {
  const write = schemaWriter({ $defs }, { io: 'result', nameOf })
  expect(write($defs.A, '', 'alias').text).toBe('unknown')
  expect(write({ properties: { a: $defs.A } }, '').text).toBe('{\n  a?: TA\n}'.replace('TA', nameIn($defs.A)))
})

/** The name that the first reference of a schema is written as. */
const nameIn = (schema: object) => `T${/#\/\$defs\/(\w)/.exec(JSON.stringify(schema))?.[1]}`
