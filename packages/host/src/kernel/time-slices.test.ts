import { rounds } from '@svc/conformance/rounds'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { openTimeSlices } from './time-slices.ts'

const MAX_MS = 4

const endings: (() => void)[] = []
afterEach(() => endings.splice(0).forEach((end) => void end()))

/** Turns on a clock that only work moves, and in which turn of the event loop each piece began. */
function open() {
  let now = 0
  let turn = 0
  let isOver = false
  const loop = () => {
    turn += 1
    if (!isOver) setImmediate(loop)
  }
  // Before that of the turns themselves in each turn.
  setImmediate(loop)
  endings.push(() => {
    isOver = true
  })
  const slices = openTimeSlices(MAX_MS, () => now)
  const begun: { readonly name: number; readonly turn: number }[] = []
  async function work(name: number, ms: number, later = 0): Promise<void> {
    const turnOf = slices.wait()
    if (turnOf) await turnOf
    begun.push({ name, turn })
    now += ms
    // What comes after promises that are there is in the same turn.
    for (let at = 0; at < 5; at += 1) await null
    now += later
  }
  return { slices, work, begun }
}

/** As the next request on another connection comes: when nothing is left of the one before. */
const nextTick = () => new Promise<void>((resolve) => queueMicrotask(() => process.nextTick(resolve)))

describe('time slices', () => {
  it('begin what there is time for at once', () => {
    const { slices } = open()
    expect(slices.wait()).toBeNull()
  })

  it.each([
    ['work', 1, 0],
    ['what work leads to without a wait', 0, 1],
  ])('leave the loop to others after a while of %s', async (_, ms, later) => {
    const { work, begun } = open()
    const all: unknown[] = []
    for (let name = 0; name < 13; name += 1) {
      all.push(work(name, ms, later))
      await nextTick()
    }
    await Promise.all(all)
    const first = begun[0]?.turn ?? Number.NaN
    expect(begun.map(({ turn }) => turn - first)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3])
  })

  it('keep the order, whatever the pieces take and whenever they come', async () => {
    const piece = fc.record({
      ms: fc.integer({ min: 0, max: 6 }),
      turnsBefore: fc.integer({ min: 0, max: 2 }),
      microtasksBefore: fc.integer({ min: 0, max: 9 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
        const { work, begun } = open()
        const all: unknown[] = []
        for (const [name, { ms, turnsBefore, microtasksBefore }] of pieces.entries()) {
          for (let at = 0; at < turnsBefore; at += 1) await new Promise(setImmediate)
          for (let at = 0; at < microtasksBefore; at += 1) await null
          all.push(work(name, ms))
        }
        await Promise.all(all)
        expect(begun.map(({ name }) => name)).toEqual(pieces.map((_, name) => name))
      }),
      { numRuns: rounds(100) },
    )
  })
})
