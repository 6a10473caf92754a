import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect } from 'vitest'
import { createRing } from './ring.ts'

const SLOTS = 256
const frame = (seq: number, done = false) => ({ seq, done })

/** What a stream must deliver, kept as a plain sorted list. */
function oracle(afterSeq: number) {
  const delivered: number[] = []
  let waiting: number[] = []
  let done = false
  const next = () => afterSeq + delivered.length + 1
  return {
    delivered,
    put(seq: number, last: number): boolean {
      if (done || seq < next() || waiting.includes(seq)) return true
      if (seq > next() + SLOTS) return waiting.length < SLOTS
      waiting = [...waiting, seq].sort((a, b) => a - b)
      while (!done && waiting[0] === next()) {
        done = waiting[0] === last
        delivered.push(...waiting.splice(0, 1))
      }
      return true
    },
  }
}

verifies(
  'sdk.stream.reorder',
  'delivers what a sorted list would, whatever comes in which order and how often',
  () => {
    const seqs = fc.oneof(
      fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 60 }),
      fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 900 }),
      // Nearly in order, with some lost and some twice: what a network does.
      fc
        .array(fc.tuple(fc.nat(8), fc.nat(9)), { maxLength: 700 })
        .map((jumps) =>
          jumps
            .flatMap(([jump, luck], at) =>
              Array.from({ length: Math.min(luck, 2) }, () => at + 1 + jump * 40),
            )
            .sort((a, b) => (a % 7) - (b % 7) || a - b),
        ),
    )
    fc.assert(
      fc.property(fc.nat(300), seqs, fc.integer({ min: 1, max: 900 }), (afterSeq, order, last) => {
        const delivered: number[] = []
        const ring = createRing<{ seq: number; done: boolean }>(afterSeq, ({ seq }) => delivered.push(seq))
        const list = oracle(afterSeq)
        let newest = afterSeq
        for (const seq of order) {
          if (delivered.at(-1) !== last && seq > afterSeq) newest = Math.max(newest, seq)
          expect(ring.put(frame(seq, seq === last))).toBe(list.put(seq, last))
          expect(delivered).toHaveLength(list.delivered.length)
        }
        expect(delivered).toEqual(list.delivered)
        expect([ring.due, ring.newest]).toEqual([afterSeq + delivered.length + 1, newest])
      }),
      { numRuns: rounds(500) },
    )
  },
)

verifies('sdk.stream.reorder', 'loses nothing of any permutation of the 257 frames that fit', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.shuffledSubarray(
          Array.from({ length: SLOTS + 1 }, (_, at) => at),
          { minLength: SLOTS + 1 },
        ),
        { minLength: 1, maxLength: 3 },
      ),
      (rounds) => {
        const delivered: number[] = []
        const ring = createRing<{ seq: number; done: boolean }>(0, ({ seq }) => delivered.push(seq))
        const order = rounds.flatMap((round, at) => round.map((place) => at * (SLOTS + 1) + place + 1))
        for (const seq of order) expect(ring.put(frame(seq))).toBe(true)
        expect(delivered).toEqual(order.toSorted((a, b) => a - b))
      },
    ),
    { numRuns: rounds(100) },
  )
})

verifies.each(['sdk.stream.reorder', 'design.stream.gap'])([
  ['256 that wait', 256, true],
  ['a 257th', 257, false],
  ['many more', 400, false],
])('is asked to keep %s behind a hole (%i frames): %s', (_, waiting, fits) => {
  const delivered: number[] = []
  const ring = createRing<{ seq: number; done: boolean }>(0, ({ seq }) => delivered.push(seq))
  let last = true
  for (let seq = 2; seq <= waiting + 1; seq++) last = ring.put(frame(seq))
  expect([last, delivered]).toEqual([fits, []])
  ring.put(frame(1))
  expect(delivered).toHaveLength(Math.min(waiting, SLOTS) + 1)
})

verifies('sdk.stream.reorder', 'counts a frame that waits once, however often it comes', () => {
  const ring = createRing<{ seq: number; done: boolean }>(0, () => undefined)
  for (let times = 0; times < 2 * SLOTS; times++) expect(ring.put(frame(2))).toBe(true)
  expect(ring.put(frame(1_000))).toBe(true)
})

verifies('sdk.stream.done', 'delivers nothing behind the last frame, whether it came before or after', () => {
  const delivered: number[] = []
  const ring = createRing<{ seq: number; done: boolean }>(0, ({ seq }) => delivered.push(seq))
  for (const one of [frame(4), frame(3, true), frame(2), frame(1), frame(5), frame(4)])
    expect(ring.put(one)).toBe(true)
  expect(delivered).toEqual([1, 2, 3])
})
