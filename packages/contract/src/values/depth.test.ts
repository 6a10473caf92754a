import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isDeeper } from './depth.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** The oracle: levels of lists and objects of a parsed value, walked without recursion. */
function levels(value: unknown): number {
  let deepest = 0
  const open: [unknown, number][] = [[value, 0]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [one, above] = next
    if (typeof one !== 'object' || one === null) continue
    deepest = Math.max(deepest, above + 1)
    for (const inner of Object.values(one)) open.push([inner, above + 1])
  }
  return deepest
}

/** Text with what a scanner of brackets could stumble over. */
const trickyText = fc
  .array(
    fc.oneof(
      fc.constantFrom('[', ']', '{', '}', '"', '\\', '\\"', '\n', 'é', '😀'),
      fc.string({ maxLength: 3 }),
    ),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''))

const { value: anyJson } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'large', withCrossShrink: true },
    fc.oneof(trickyText, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(trickyText, tie('value'), { maxKeys: 3 }),
  ),
}))

verifies('decision.envelope.depth', 'agrees with the depth of the parsed text', () => {
  fc.assert(
    fc.property(anyJson, fc.nat({ max: 8 }), fc.constantFrom(0, 1, '\t'), (value, max, space) => {
      const text = JSON.stringify(value, null, space)
      expect(isDeeper(encode(text), max)).toBe(levels(JSON.parse(text)) > max)
    }),
    { numRuns: rounds(1_000) },
  )
})

verifies.each('decision.envelope.depth')([
  [63, false],
  [64, false],
  [65, true],
  [1_000, true],
  [100_000, true],
  [1_000_000, true],
])('tells %i levels from 64', (depth, deeper) => {
  const list = encode('['.repeat(depth) + ']'.repeat(depth))
  const object = encode(`${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`)
  expect(isDeeper(list, 64)).toBe(deeper)
  expect(isDeeper(object, 64)).toBe(deeper)
  if (depth <= 100_000) expect(levels(JSON.parse(new TextDecoder().decode(list)))).toBe(depth)
})

it.each([
  ['brackets inside a string', JSON.stringify('['.repeat(500)), false],
  ['brackets in the name of a member', JSON.stringify({ ['{'.repeat(500)]: 1 }), false],
  ['brackets behind an escaped quote', JSON.stringify(`"${'['.repeat(500)}`), false],
  ['a string that ends in a backslash, then lists', `["\\\\",${'['.repeat(64)}${']'.repeat(64)}]`, true],
  ['many lists side by side', `[${Array(500).fill('[]').join()}]`, false],
  ['lists inside objects', '{"a":['.repeat(32) + ']}'.repeat(32), false],
  ['lists inside objects, one more', `[${'{"a":['.repeat(32)}${']}'.repeat(32)}]`, true],
  ['a string without an end', `"${'['.repeat(500)}`, false],
  ['nothing', '', false],
])('judges %s', (_name, text, deeper) => {
  expect(isDeeper(encode(text), 64)).toBe(deeper)
})

it('takes any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat({ max: 3 }), (bytes, max) => {
      expect(typeof isDeeper(bytes, max)).toBe('boolean')
    }),
  )
})

it.each([
  ['quotes behind backslashes', '\\"'],
  ['backslashes', '\\'],
  ['pairs of brackets', '[]'],
  ['empty strings', '"",'],
])('walks 4 MiB of %s once', (_name, piece) => {
  const bytes = encode(`${'['.repeat(40)}${'{'.repeat(40)}"${piece.repeat(4_194_304 / piece.length)}`)
  const indexOf = bytes.indexOf.bind(bytes)
  let searches = 0
  bytes.indexOf = (...at) => {
    searches++
    return indexOf(...at)
  }
  isDeeper(bytes, 100)
  expect(searches).toBeLessThan(bytes.length)
})
