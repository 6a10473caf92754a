import { rounds } from '@svc/conformance/rounds'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  above,
  compareKeys,
  decodePart,
  encodeEntry,
  encodeKey,
  encodePart,
  encodePrefix,
  partEnds,
} from './keys.ts'
import type { Key, KeyPart } from './port.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc
    .array(fc.constantFrom('\u0000', '\u0001', '\u0002', 'a', '\ud83d', '\ude00', '\uffff'))
    .map((parts) => parts.join('')),
)
const number = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.constantFrom(0, -0, 1, -1, Infinity, -Infinity),
)
const part: fc.Arbitrary<KeyPart> = fc.oneof(fc.constant(null), fc.boolean(), number, text)
const key = fc.array(part, { maxLength: 4 })

const typeRank = (p: KeyPart) => (p === null ? 0 : ['boolean', 'number', 'string'].indexOf(typeof p) + 1)

/** The order as the port states it, with JavaScript's own comparisons and none of the encoding. */
function orderOf(a: Key, b: Key): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x, y] = [a[i] as KeyPart, b[i] as KeyPart]
    const byType = typeRank(x) - typeRank(y)
    if (byType !== 0) return Math.sign(byType)
    if (x !== y && x !== null && y !== null) return x < y ? -1 : 1
  }
  return Math.sign(a.length - b.length)
}

const bytesOf = (encoded: string) => Buffer.from(encoded, 'latin1')

describe('keys', () => {
  it('order as their parts do, byte by byte', () => {
    fc.assert(
      fc.property(key, key, (a, b) => {
        expect(Buffer.compare(bytesOf(encodeKey(a)), bytesOf(encodeKey(b)))).toBe(orderOf(a, b))
      }),
      { numRuns: rounds(3_000) },
    )
  })

  it('give their parts back', () => {
    fc.assert(
      fc.property(key, text, (parts, id) => {
        const entry = encodeEntry(parts, id)
        const ends = partEnds(entry)
        const read = ends.map((end, at) => decodePart(entry.slice(ends[at - 1] ?? 0, end)))
        expect(read).toEqual(parts.map((part) => (part === 0 ? 0 : part)))
        expect(decodePart(encodePart(id))).toBe(id)
      }),
      { numRuns: rounds(3_000) },
    )
  })

  it('compare without their bytes as they do by them', () => {
    fc.assert(
      fc.property(key, key, fc.nat({ max: 4 }), (a, b, parts) => {
        expect(Math.sign(compareKeys(a, b))).toBe(orderOf(a, b))
        const [left, right] = [a.slice(0, parts), b.slice(0, parts)]
        expect(Math.sign(compareKeys(a, b, parts))).toBe(orderOf(left, right))
      }),
      { numRuns: rounds(3_000) },
    )
  })

  it('order as texts of JavaScript do when they differ late', () => {
    fc.assert(
      fc.property(text, text, text, (start, a, b) => {
        const [x, y] = [encodeKey([start + a, 1]), encodeKey([start + b, 1])]
        expect(x < y).toBe(start + a < start + b)
      }),
      { numRuns: rounds(3_000) },
    )
  })

  it('order numbers that are next to each other', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (a) => {
        const next = a + Math.abs(a) * Number.EPSILON
        expect(encodeKey([a]) < encodeKey([next])).toBe(a < next)
      }),
    )
  })

  it('make no difference between 0 and -0', () => {
    expect(encodeKey([-0])).toBe(encodeKey([0]))
  })

  it('hold nothing but bytes', () => {
    fc.assert(
      fc.property(key, (a) => {
        for (const bytes of [encodeKey(a), above(encodeKey(a))])
          expect(bytesOf(bytes).toString('latin1')).toBe(bytes)
      }),
    )
  })

  it('begin with the bytes of their leading parts, and with no others', () => {
    fc.assert(
      fc.property(key, key, (a, b) => {
        const leads = a.length <= b.length && orderOf(a, b.slice(0, a.length)) === 0
        expect(encodeKey(b).startsWith(encodeKey(a))).toBe(leads)
        expect(encodeKey([...a, ...b]).startsWith(encodeKey(a))).toBe(true)
      }),
    )
  })

  it('begin with the bytes of a prefix exactly when the text does', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(encodeKey([a]).startsWith(encodePrefix(b))).toBe(a.startsWith(b))
        expect(encodeKey([b + a]).startsWith(encodePrefix(b))).toBe(true)
      }),
    )
  })

  it('lie below what is above their beginning', () => {
    fc.assert(
      fc.property(key, key, (a, b) => {
        const inside = encodeKey(b).startsWith(encodeKey(a))
        expect(encodeKey(b) >= encodeKey(a) && encodeKey(b) < above(encodeKey(a))).toBe(inside)
      }),
    )
  })

  it('refuse NaN, which has no order', () => {
    expect(() => encodeKey(['a', Number.NaN])).toThrow('got NaN')
  })
})
