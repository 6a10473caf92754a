import type { DatabaseSync } from 'node:sqlite'
import { rounds } from '@svc/conformance/rounds'
import { encodeEntry, encodeKey, encodePart } from '@svc/state/driver'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openDatabase } from './database.ts'
import { recordsFormat } from './format.ts'
import { openRecordWrites, type Written } from './record-writes.ts'

const owners = ['ann', 'bob', '\u0000']
const draw = fc.record({
  act: fc.constantFrom('insert', 'swap', 'remove', 'undo'),
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  owner: fc.constantFrom(...owners, null),
  title: fc.constantFrom('x', 'y'),
  weight: fc.nat({ max: 5 }),
  max: fc.nat({ max: 3 }),
  isWeight: fc.boolean(),
  parts: fc.nat({ max: 2 }),
})

/** What the rows under a cap come to, by looking at all of them. */
type Row = { owner: string | null; title: string; weight: number }

it('caps judge by what is in the database, however it came there', () => {
  fc.assert(
    fc.property(fc.array(draw, { maxLength: 40 }), (steps) => {
      const db: DatabaseSync = openDatabase({
        path: ':memory:',
        format: recordsFormat,
        durability: 'process',
      })
      const writes = openRecordWrites(db)
      const { collection } = writes.declare('notes', ['byOwner'], 'v1')
      const rows = new Map<string, Row & { revision: number }>()
      db.exec('BEGIN')
      for (const { act, id, owner, title, weight, max, isWeight, parts } of steps) {
        const there = rows.get(id)
        if (act === 'undo') {
          // What is committed stays; the counts begin anew.
          db.exec('COMMIT; BEGIN')
          writes.undone()
          continue
        }
        if (act === 'remove') {
          expect(writes.remove(collection, encodePart(id), there?.revision ?? 0)).toBe(there !== undefined)
          rows.delete(id)
          continue
        }
        const eq = [owner ?? 'ann', title].slice(0, isWeight ? 1 : parts)
        const isUnder = (row: Row) =>
          row.owner !== null && eq.every((part, at) => part === [row.owner, row.title][at])
        const next: Row = { owner, title, weight }
        const written: Written = {
          collection,
          id: encodePart(id),
          body: '{}',
          weight,
          keys: [owner === null ? null : encodeEntry([owner, title], id)],
          caps: [{ name: 'cap', at: 0, eq: encodeKey(eq), max, isWeight }],
        }
        const outcome = act === 'insert' ? writes.insert(written) : writes.swap(written, there?.revision ?? 0)
        if (act === 'insert' ? there : !there) {
          expect(Object.keys(outcome)).toEqual([act === 'insert' ? 'exists' : 'lost'])
          continue
        }
        const under = [...rows.values()].filter(isUnder)
        const before = there && isUnder(there) ? there : null
        const added = (isUnder(next) ? weight : 0) - (before?.weight ?? 0)
        const isFull = isWeight
          ? added > 0 && under.reduce((sum, row) => sum + row.weight, 0) + added > max
          : isUnder(next) && !before && under.length >= max
        expect('full' in outcome).toBe(isFull)
        if ('revision' in outcome) rows.set(id, { ...next, revision: outcome.revision })
      }
      db.exec('COMMIT')
      db.close()
    }),
    { numRuns: rounds(200) },
  )
})
