import { rounds } from '@svc/conformance/rounds'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { frozenCopy, frozenCopyAfter, frozenInTurns } from './freeze.ts'

const odd = fc.constantFrom<unknown>(
  undefined,
  Number.NaN,
  Number.NEGATIVE_INFINITY,
  -0,
  Symbol('s'),
  () => 1,
  new Date(0),
  new Date(Number.NaN),
  Object('boxed'),
  Object(1),
  new Map([[1, 2]]),
  new Uint8Array(2),
  /x/,
  { toJSON: () => ({ told: [1] }) },
  { [Symbol('s')]: 1, plain: { a: undefined } },
  Object.create({ inherited: 1 }),
  Array(2),
  JSON.parse('{"__proto__": {"x": -1}, "constructor": 1}'),
)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    odd,
    fc.anything(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
  ),
}))

/** What a value is as JSON, or what is thrown. */
function outcome(work: () => unknown): unknown {
  try {
    return { is: work() }
  } catch (error) {
    return (error as Error).constructor
  }
}

const isFrozen = (part: unknown): boolean =>
  typeof part !== 'object' || part === null || (Object.isFrozen(part) && Object.values(part).every(isFrozen))

it('a frozen copy is what JSON makes of a value, or the same refusal', () => {
  fc.assert(
    fc.property(value, (any) => {
      const copied = outcome(() => frozenCopy({ any }))
      expect(copied).toStrictEqual(outcome(() => JSON.parse(JSON.stringify({ any }))))
      expect(JSON.stringify(copied)).toBe(JSON.stringify(outcome(() => JSON.parse(JSON.stringify({ any })))))
    }),
    { numRuns: rounds(2_000) },
  )
})

it('a frozen copy is frozen to the bottom and leaves its source alone', () => {
  fc.assert(
    fc.property(value, (any) => {
      fc.pre(typeof outcome(() => JSON.stringify(any)) !== 'function')
      const source = { list: [{ any }] }
      expect(isFrozen(frozenCopy(source))).toBe(true)
      expect([source, source.list, source.list[0]].some(Object.isFrozen)).toBe(false)
    }),
  )
})

it('a circle is refused, and depth is not', () => {
  const circle: unknown[] = []
  circle.push({ circle })
  expect(() => frozenCopy(circle)).toThrow(/circular/)
  const deep = Array.from({ length: 500 }).reduce<unknown>((inner) => ({ inner: [inner] }), 1)
  expect(frozenCopy(deep)).toEqual(deep)
  expect(isFrozen(frozenCopy(deep))).toBe(true)
})

it('a large object that is made in turns is what a copy of it would be, and is not copied again', async () => {
  const fields = [...Array(1_200).keys()].map((n): [string, unknown] => [`f${n}`, { n }])
  const made = await frozenInTurns([...fields, ['__proto__', { own: 1 }]])
  expect(JSON.stringify(made)).toBe(
    JSON.stringify(Object.fromEntries([...fields, ['__proto__', { own: 1 }]])),
  )
  expect(Object.isFrozen(made) && Object.isFrozen(made.f7)).toBe(true)
  expect(frozenCopy({ files: made }).files).toBe(made)
})

it('what a row shares with the copy that it replaces is not copied again, and nothing else is shared', () => {
  const before = frozenCopy({ owner: { id: 1 }, list: [1], zero: 0 })
  const own = { id: 1 }
  const after = frozenCopyAfter({ ...before, list: [1], owner: before.owner, zero: -0 }, before)
  expect(after.owner).toBe(before.owner)
  expect(Object.is(after.zero, 0)).toBe(true)
  expect([after.list === before.list, isFrozen(after)]).toEqual([false, true])
  const moved = frozenCopyAfter({ ...before, owner: own }, before)
  expect([moved.owner === own, Object.isFrozen(own), isFrozen(moved)]).toEqual([false, false, true])
})
