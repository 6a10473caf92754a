import { runInNewContext } from 'node:vm'
import { rounds } from '@svc/conformance/rounds'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isJson } from './is-json.ts'
import { jsonOddity, jsonText } from './json-oddity.ts'

class Point {
  readonly x = 1
}

const circle: { self?: unknown } = {}
circle.self = { a: [circle] }
const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) })
const sparse = [1, 2, 3]
delete sparse[1]

/** `isJson` may throw where a member does; that counts as no. */
function holds(value: unknown): boolean {
  try {
    return isJson(value)
  } catch {
    return false
  }
}

it.each<[path: string, value: unknown, why: string]>([
  ['.list[3].when', { list: [0, 1, 2, { when: new Map([[1, 2]]) }] }, 'is a Map; JSON cannot hold one'],
  ['.a', { a: new Set([1]) }, 'is a Set; JSON cannot hold one'],
  ['.a', { a: new WeakMap() }, 'is a WeakMap; JSON cannot hold one'],
  ['.a', { a: new Blob(['x']) }, 'is a Blob; JSON cannot hold one'],
  ['.a', { a: new File(['x'], 'x') }, 'is a File; JSON cannot hold one'],
  ['.a', { a: new FormData() }, 'is a FormData; JSON cannot hold one'],
  ['.a', { a: new Headers() }, 'is a Headers; JSON cannot hold one'],
  ['.a', { a: new URLSearchParams('b=1') }, 'is a URLSearchParams; JSON cannot hold one'],
  ['.a', { a: new Point() }, 'is a Point; JSON cannot hold one'],
  ['.a', { a: new (class {})() }, 'is an object of a class; JSON cannot hold one'],
  ['.a', { a: /x/ }, 'is a RegExp; JSON cannot hold one'],
  ['.a', { a: new Error('x') }, 'is an Error; JSON cannot hold one'],
  ['.a', { a: new TypeError('x') }, 'is a TypeError; JSON cannot hold one'],
  ['.a', { a: Promise.resolve() }, 'is a Promise; JSON cannot hold one'],
  ['.a', { a: new Uint8Array(2) }, 'is a Uint8Array; JSON cannot hold one'],
  ['.a', { a: Buffer.from('x') }, 'is a Buffer; JSON cannot hold one'],
  ['.a', { a: new ArrayBuffer(2) }, 'is an ArrayBuffer; JSON cannot hold one'],
  ['.a', { a: new DataView(new ArrayBuffer(2)) }, 'is a DataView; JSON cannot hold one'],
  ['.a', { a: Object(1) }, 'is a Number; JSON cannot hold one'],
  ['.a', { a: new Date(Number.NaN) }, 'is a Date; JSON cannot hold one'],
  ['.a', { a: () => 1 }, 'is a function; JSON cannot hold one'],
  ['.a', { a: Symbol('x') }, 'is a symbol; JSON cannot hold one'],
  ['[1]', [1, undefined], 'is undefined; JSON cannot hold it, null is its nothing'],
  ['[1]', sparse, 'is undefined; JSON cannot hold it, null is its nothing'],
  ['.a', { a: 1n }, '1 cannot be kept exactly; send it as a string'],
  ['.a', { a: Number.NaN }, 'NaN cannot be kept exactly; send it as a string'],
  ['.a', { a: Number.NEGATIVE_INFINITY }, '-Infinity cannot be kept exactly; send it as a string'],
  ['.a', { a: { toJSON: () => new Map() } }, 'is an Object; JSON cannot hold one'],
  ['.a', { a: { toJSON: () => undefined } }, 'is an Object; JSON cannot hold one'],
  ['.a', { a: { toJSON: () => Number.NaN } }, 'NaN cannot be kept exactly; send it as a string'],
  ['.a', { a: { toJSON: () => ({ b: new Set() }) } }, ''],
  [
    '.a',
    {
      a: {
        toJSON() {
          throw new Error('no')
        },
      },
    },
    'has a toJSON that throws: Error: no',
  ],
  [
    '.a',
    {
      get a() {
        throw new Error('no')
      },
    },
    'has a getter that throws: Error: no',
  ],
  ['.self.a[0]', circle, 'is in itself; JSON cannot hold a circle'],
  ['.a', { a: runInNewContext('new Map()') }, 'is a Map; JSON cannot hold one'],
])('what is at %s, %#', (path, value, why) => {
  const [at, said] = jsonOddity(value) ?? []
  expect(at?.startsWith(path)).toBe(true)
  expect(said).toContain(why)
  expect(holds(value)).toBe(false)
  expect(() => jsonText(value, 'value')).toThrow(`value${path}`)
})

it.each([
  ['null', null],
  ['texts, numbers, lists', ['', 0, -0, 1e21, true, [], {}]],
  ['a date and a URL, as their texts', { at: new Date(0), url: new URL('https://a.org') }],
  ['members that are undefined', { a: undefined }],
  ['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
  ['an object of another frame', runInNewContext('({ a: [1, { b: 2 }] })')],
  ['one object twice, but not in itself', [sparse.slice(2), sparse.slice(2)]],
  [
    'names of members that mislead',
    JSON.parse('{"__proto__": {"a": 1}, "constructor": "x", "toJSON": 1, "length": 3}'),
  ],
  ['a class that says what it is as JSON', { toJSON: () => ({ x: 1 }) }],
  ['a proxy of plain data', new Proxy({ a: [1] }, {})],
  ['many levels', deep(500)],
])('holds %s', (_, value) => {
  expect(jsonOddity(value)).toBeUndefined()
  expect(isJson(value)).toBe(true)
})

it('refuses what nests too deep for who walks it', () => {
  expect(jsonOddity(deep(1_001))?.[1]).toBe(' nests deeper than 1000 levels')
})

it('says of any value what the short test says, and never changes what JSON holds', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
    withObjectString: true,
    withBoxedValues: true,
    withNullPrototype: true,
  })
  fc.assert(
    fc.property(anything, (value) => {
      expect(holds(value)).toBe(jsonOddity(value) === undefined)
    }),
    { numRuns: rounds(2_000) },
  )
})
