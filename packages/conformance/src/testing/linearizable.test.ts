import { describe, expect, it } from 'vitest'
import { type Act, type Operation, type Outcome, whyNotLinearizable } from './linearizable.ts'

const op = (called: number, returned: number, act: Act, outcome?: Outcome): Operation => ({
  called,
  returned,
  act,
  outcome,
})
const read = (called: number, returned: number, value: string | null) =>
  op(called, returned, { verb: 'read' }, { value })
const insert = (called: number, returned: number, value: string, outcome?: Outcome) =>
  op(called, returned, { verb: 'insert', value }, outcome)
const swap = (called: number, returned: number, from: string, value: string, outcome?: Outcome) =>
  op(called, returned, { verb: 'swap', from, value }, outcome)
const remove = (called: number, returned: number, from: string, outcome?: Outcome) =>
  op(called, returned, { verb: 'remove', from }, outcome)
const done = { done: true } as const
const lost = { done: false } as const

describe('histories that are linearizable', () => {
  it.each<[string, Operation[]]>([
    ['nothing', []],
    ['one after the other', [insert(0, 1, 'a', done), swap(2, 3, 'a', 'b', done), read(4, 5, 'b')]],
    [
      'a read beside a write that sees the value before',
      [insert(0, 1, 'a', done), swap(2, 6, 'a', 'b', done), read(3, 4, 'a')],
    ],
    [
      'a read beside a write that sees the value after',
      [insert(0, 1, 'a', done), swap(2, 6, 'a', 'b', done), read(3, 4, 'b')],
    ],
    [
      'two swaps of one value, of which one is lost',
      [insert(0, 1, 'a', done), swap(2, 5, 'a', 'b', lost), swap(3, 6, 'a', 'c', done)],
    ],
    ['an insert that finds another', [insert(0, 3, 'a', done), insert(1, 2, 'b', { value: 'a' })]],
    ['an insert that a cap refuses', [insert(0, 1, 'a', { full: 'rows' }), read(2, 3, null)]],
    ['a write without an answer that happened', [insert(0, 9, 'a'), read(10, 11, 'a')]],
    ['a write without an answer that did not', [insert(0, 9, 'a'), read(10, 11, null)]],
    [
      'a write without an answer that is seen before its process ended',
      [insert(0, 9, 'a'), read(2, 3, 'a'), read(4, 5, 'a')],
    ],
    [
      'a removal and a new record',
      [insert(0, 1, 'a', done), remove(2, 3, 'a', done), insert(4, 5, 'b', done), read(6, 7, 'b')],
    ],
  ])('%s', (_, history) => {
    expect(whyNotLinearizable(history, null)).toBeNull()
  })

  it('long ones, with eight clients at once', () => {
    // Each group of eight swaps the value of the group before; the last to return is the one that did it.
    const history: Operation[] = [insert(0, 1, 'v0', done)]
    for (let round = 1; round <= 500; round++)
      for (let client = 0; client < 8; client++)
        history.push(
          swap(
            round * 10 + client * 0.1,
            round * 10 + 2,
            `v${round - 1}`,
            client === 7 ? `v${round}` : `x${round}.${client}`,
            {
              done: client === 7,
            },
          ),
        )
    expect(whyNotLinearizable(history, null)).toBeNull()
  })
})

describe('histories that are not', () => {
  it.each<[string, Operation[]]>([
    ['a lost update', [insert(0, 1, 'a', done), swap(2, 5, 'a', 'b', done), swap(3, 6, 'a', 'c', done)]],
    ['an acknowledged write that is gone', [insert(0, 1, 'a', done), read(2, 3, null)]],
    ['a stale read', [insert(0, 1, 'a', done), swap(2, 3, 'a', 'b', done), read(4, 5, 'a')]],
    [
      'two reads, the second of an older value',
      [insert(0, 1, 'a', done), swap(2, 9, 'a', 'b', done), read(3, 4, 'b'), read(5, 6, 'a')],
    ],
    [
      'a write that came back after its process had ended',
      [insert(0, 1, 'a', done), swap(2, 5, 'a', 'b'), read(6, 7, 'a'), read(8, 9, 'b')],
    ],
    [
      'a removed record that is there again',
      [insert(0, 1, 'a', done), remove(2, 3, 'a', done), read(4, 5, 'a')],
    ],
    ['a lost swap of the value that stood', [insert(0, 1, 'a', done), swap(2, 3, 'a', 'b', lost)]],
    ['a value that nobody wrote', [insert(0, 1, 'a', done), read(2, 3, 'z')]],
    ['a refused write that happened', [insert(0, 1, 'a', { full: 'rows' }), read(2, 3, 'a')]],
    ['two inserts of one key', [insert(0, 3, 'a', done), insert(1, 4, 'b', done)]],
  ])('%s', (_, history) => {
    expect(whyNotLinearizable(history, null)).toMatch(/none of these can be next/)
  })

  it('begins at the value that the key had', () => {
    expect(whyNotLinearizable([read(0, 1, 'a')], 'a')).toBeNull()
    expect(whyNotLinearizable([read(0, 1, null)], 'a')).not.toBeNull()
  })
})
