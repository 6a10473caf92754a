import { describe, expect, it } from 'vitest'
import { limits } from '../../packages/contract/src/index.ts'
import { inWords, limitDocs } from './limits.ts'
import { typeText } from './schema.ts'
import { table } from './table.ts'

describe('typeText', () => {
  it.each([
    [{}, 'any'],
    [{ type: 'string' }, 'string'],
    [{ type: 'string', minLength: 1, maxLength: 1024 }, 'string (1–1 024 characters)'],
    [{ type: 'string', maxLength: 5 }, 'string (≤ 5 characters)'],
    [{ type: 'integer', minimum: 1, maximum: 500 }, 'integer (1–500)'],
    [{ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, 'integer (≥ 0)'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ const: true }, 'true'],
    [{ type: 'string', enum: ['app', 'shared'] }, '"app" | "shared"'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
    [{ type: 'array', items: { type: ['string', 'null'] }, maxItems: 3 }, '(string | null)[] (≤ 3 items)'],
    [{ type: 'object' }, 'object'],
    [
      { type: 'object', properties: { a: { type: 'number' }, b: { type: 'boolean' } }, required: ['a'] },
      '{a: number, b?: boolean}',
    ],
  ])('writes %j', (schema, text) => {
    expect(typeText(schema)).toBe(text)
  })
})

describe('inWords', () => {
  it.each([
    ['A_MS', 120_000, '2 min'],
    ['A_MS', 65_000, '65 s'],
    ['A_MS', 500, ''],
    ['A_MAX_BYTES', 4_194_304, '4 MiB'],
    ['A_MAX_S', 31_536_000, '365 d'],
    ['A_MAX_CHARS', 1_024, ''],
  ])('%s = %i', (name, value, words) => {
    expect(inWords(name, value)).toBe(words)
  })
})

it('every limit has a sentence', () => {
  const docs = limitDocs()
  expect(Object.keys(limits).filter((name) => !/^[A-Z`].*\.$/.test(docs.get(name)?.what ?? ''))).toEqual([])
})

it('escapes bars in a table', () => {
  expect(table(['a'], [['x | y']])).toBe('| a |\n| --- |\n| x \\| y |')
})
