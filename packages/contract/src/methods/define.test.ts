import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import * as z from '../values/zod.ts'
import { explain, method } from './define.ts'
import { integer, visible } from './rules.ts'

const schema = z
  .object({
    limit: z.int().min(1).max(500),
    title: visible(12),
    key: z.string().min(2),
    tags: z.array(z.string().max(3)).max(2),
    scope: z.enum(['app', 'shared']),
    timeoutMs: integer.refine((ms) => ms >= 1_000, 'must be at least 1000'),
    artifact: z.object({ kind: z.string() }),
    run_id: z.string().regex(/^[0-9a-f-]{36}$/, 'must be a uuid'),
    since: z.string().regex(/Z$/, 'it needs an offset'),
  })
  .partial()

function sentence(input: unknown): string {
  const read = schema.safeParse(input)
  if (read.success) throw new Error('it was taken')
  return explain(read.error, input)
}

verifies.each('design.sentence')([
  [{ limit: 501 }, 'limit must be at most 500, got 501'],
  [{ limit: 0 }, 'limit must be at least 1, got 0'],
  [{ limit: 1.5 }, 'limit must be an integer, got 1.5'],
  [{ limit: '5' }, 'limit must be a number, got "5"'],
  [{ limit: null }, 'limit must be a number, got null'],
  [{ limit: Number.POSITIVE_INFINITY }, 'limit must be a number, got Infinity'],
  [{ title: '' }, 'title must have at least 1 character, got ""'],
  [{ title: 'x'.repeat(13) }, `title must have at most 12 characters, got "${'x'.repeat(13)}"`],
  [{ title: ' \u200b ' }, 'title must have a visible character, got " \u200b "'],
  [{ title: 7 }, 'title must be a string, got 7'],
  [{ key: 'k' }, 'key must have at least 2 characters, got "k"'],
  [{ tags: ['a', 'b', 'c'] }, 'tags must have at most 2 items, got ["a","b","c"]'],
  [{ tags: ['a', 'long'] }, 'tags.1 must have at most 3 characters, got "long"'],
  [{ tags: 'a' }, 'tags must be an array, got "a"'],
  [{ scope: 'all' }, 'scope must be one of "app", "shared", got "all"'],
  [{ timeoutMs: 200 }, 'timeoutMs must be at least 1000, got 200'],
  [{ timeoutMs: true }, 'timeoutMs must be an integer, got true'],
  [{ artifact: {} }, 'artifact.kind must be a string, got nothing'],
  [{ artifact: 'card' }, 'artifact must be an object, got "card"'],
  [{ run_id: 'x' }, 'run_id must be a uuid, got "x"'],
  [{ since: 'x' }, 'since is wrong (it needs an offset), got "x"'],
  [7, 'args must be an object, got 7'],
])('%j: %s', (input, expected) => {
  expect(sentence(input)).toBe(expected)
})

describe('the value in a sentence', () => {
  it('is not gone through where its length says enough', () => {
    const blanks = '\u2028'.repeat(10_000_000)
    const shown = `${JSON.stringify(blanks.slice(0, 61)).slice(0, 60)}…`
    expect(sentence({ title: blanks })).toBe(
      `title must have at most 12 characters, got ${shown} (10000000 characters)`,
    )
    expect(sentence({ tags: { blanks } })).toBe(`tags must be an array, got {"blanks":${shown.slice(0, 50)}…`)
  })

  it('is read no further than it is shown', () => {
    const read: number[] = []
    const items = Array.from({ length: 1_000 }, (_, at) => ({ toJSON: () => read.push(at) && 'item' }))
    expect(sentence({ limit: items })).toMatch(/^limit must be a number, got \["item","item",.*…$/)
    expect(read.length).toBeLessThan(100)
  })

  it('is cut where it is long', () => {
    const shown = sentence({ scope: 'x'.repeat(1_000) })
    expect(shown).toMatch(/…\s\(1000 characters\)$/)
    expect(shown.length).toBeLessThan(150)
  })

  it.each([[() => 1], [Symbol('s')]])('may be anything', (scope) => {
    expect(sentence({ scope })).toMatch(/^scope must be one of "app", "shared", got /)
  })

  it('is never read from a prototype', () => {
    expect(sentence(JSON.parse('{"limit":"1","__proto__":{"limit":2}}'))).toBe(
      'limit must be a number, got "1"',
    )
    const inherited = z.object({ toString: z.string() }).safeParse({})
    expect(inherited.error && explain(inherited.error, {})).toBe('toString must be a string, got nothing')
  })
})

it('explains an error without an issue', () => {
  expect(explain(new z.ZodError([]), {})).toMatch(/\.$/)
})

it('keeps a row as it is', () => {
  const row = { doc: 'x', access: 'always', args: z.object({}), result: z.object({}) } as const
  expect(method(row)).toBe(row)
})

it.each([
  [
    z.object({ schema: z.union([z.literal(1), z.literal(2)]) }),
    { schema: 4 },
    'schema must be one of 1, 2, got 4',
  ],
  [z.object({ plug: z.union([z.string(), z.object({})]) }), { plug: 1 }, 'plug must be a string, got 1'],
  [z.object({ value: z.nonoptional(z.unknown()) }), {}, 'value is required, got nothing'],
])('says what a union or a missing value asks for', (asked, input, sentence) => {
  const read = asked.safeParse(input)
  if (read.success) throw new Error('was taken')
  expect(explain(read.error, input)).toBe(sentence)
})
