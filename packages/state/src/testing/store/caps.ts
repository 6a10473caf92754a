import { describe, expect, it } from 'vitest'
import type { Cap } from '../../store/port.ts'
import { capOf, type Hold, note, notes, numbered } from './hold.ts'

/** Caps hold under concurrency and judge only what enters. */
export function capRules(hold: Hold): void {
  describe('caps', () => {
    it('of 20 inserts at once under a cap of 5 exactly 5 enter', async () => {
      const inserts = Array.from({ length: 20 }, (_, n) =>
        hold.store.insert(notes, numbered(n), note({ title: `${n}` }), { caps: capOf(5) }),
      )
      const results = await Promise.all(inserts)
      expect(results.filter((r) => r.ok)).toHaveLength(5)
      expect(results.filter((r) => !r.ok)).toEqual(Array(15).fill({ ok: false, full: 'per_owner' }))
      expect(await hold.titles()).toHaveLength(5)
    })

    it('of 20 inserts of one id exactly one enters', async () => {
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) => hold.store.insert(notes, 'a', note({ title: `${n}` }))),
      )
      expect(results.filter((r) => r.ok)).toHaveLength(1)
      expect(results.filter((r) => !r.ok && 'exists' in r)).toHaveLength(19)
    })

    it('are judged after existence', async () => {
      const record = await hold.add('a', note())
      const again = await hold.store.insert(notes, 'a', note({ title: 'again' }), { caps: capOf(1) })
      expect(again).toEqual({ ok: false, exists: record })
    })

    it('count only keys that begin with theirs, part by part', async () => {
      await hold.add('a', note({ owner: 'anna' }))
      await hold.add('b', note({ owner: 'ann\u0000' }))
      await hold.add('c', note({ owner: 'an' }))
      expect(await hold.store.insert(notes, 'd', note(), { caps: capOf(1) })).toMatchObject({ ok: true })
      expect(await hold.store.insert(notes, 'e', note(), { caps: capOf(1) })).toMatchObject({
        full: 'per_owner',
      })
      expect(await hold.store.insert(notes, 'e', note({ owner: 'bob' }), { caps: capOf(1) })).toMatchObject({
        ok: true,
      })
    })

    it('name the first that is full', async () => {
      await hold.add('a', note({ due_at: 1 }))
      const due = { name: 'due_at_once', index: 'dueAt' as const, eq: [1], max: 1 }
      const row = note({ due_at: 1 })
      expect(await hold.store.insert(notes, 'b', row, { caps: [...capOf(2), due] })).toMatchObject({
        full: 'due_at_once',
      })
      expect(await hold.store.insert(notes, 'b', row, { caps: [...capOf(1), due] })).toMatchObject({
        full: 'per_owner',
      })
      expect(await hold.store.get(notes, 'b')).toBeNull()
    })

    it('let a swap enter only where there is a place, and never throw out a row that was in', async () => {
      await hold.add('a', note())
      const { revision } = await hold.add('b', note({ owner: 'bob' }))
      expect(await hold.store.swap(notes, 'b', revision, note(), { caps: capOf(1) })).toEqual({
        ok: false,
        full: 'per_owner',
      })
      const entered = await hold.store.swap(notes, 'b', revision, note(), { caps: capOf(2) })
      expect(entered).toMatchObject({ ok: true })
      const now = entered.ok ? entered.record.revision : 0
      expect(await hold.store.swap(notes, 'b', now, note({ title: 'u' }), { caps: capOf(1) })).toMatchObject({
        ok: true,
      })
    })

    it('of 20 swaps into a cap of 5 exactly 5 enter', async () => {
      const records = []
      for (let n = 0; n < 20; n++) records.push(await hold.add(numbered(n), note({ owner: 'bob' })))
      const results = await Promise.all(
        records.map((r) => hold.store.swap(notes, r.id, r.revision, note(), { caps: capOf(5) })),
      )
      expect(results.filter((r) => r.ok)).toHaveLength(5)
    })

    it('have a place again when a row is removed or leaves', async () => {
      const a = await hold.add('a', note())
      expect(await hold.store.insert(notes, 'b', note(), { caps: capOf(1) })).toMatchObject({
        full: 'per_owner',
      })
      await hold.store.remove(notes, 'a', a.revision)
      const b = await hold.store.insert(notes, 'b', note(), { caps: capOf(1) })
      expect(b).toMatchObject({ ok: true })
      await hold.store.swap(notes, 'b', b.ok ? b.record.revision : 0, note({ owner: 'bob' }))
      expect(await hold.store.insert(notes, 'c', note(), { caps: capOf(1) })).toMatchObject({ ok: true })
    })

    it('of weight let in what fits, and a row that grows only as far', async () => {
      const caps: Cap<'byOwner'>[] = [{ name: 'heavy', index: 'byOwner', eq: ['ann'], max: 10, of: 'weight' }]
      const put = (id: string, weight: number, owner = 'ann') =>
        hold.store.insert(notes, id, note({ owner, weight }), { caps })
      const results = await Promise.all(Array.from({ length: 20 }, (_, n) => put(numbered(n), 3)))
      expect(results.filter((r) => r.ok)).toHaveLength(3)
      const entered = numbered(results.findIndex((r) => r.ok))
      expect(await put('light', 0)).toMatchObject({ ok: true })
      expect(await put('bob', 11, 'bob')).toMatchObject({ ok: true })
      const change = async (weight: number, owner = 'ann') => {
        const record = await hold.store.get(notes, entered)
        return hold.store.swap(notes, entered, record?.revision ?? 0, note({ owner, weight }), { caps })
      }
      expect(await change(5)).toEqual({ ok: false, full: 'heavy' })
      expect(await change(4)).toMatchObject({ ok: true })
      expect(await put('more', 1)).toEqual({ ok: false, full: 'heavy' })
      expect(await change(4, 'bob')).toMatchObject({ ok: true })
      expect(await put('more', 4)).toMatchObject({ ok: true })
      expect(await change(1)).toEqual({ ok: false, full: 'heavy' })
      const more = await hold.store.get(notes, 'more')
      await hold.store.remove(notes, 'more', more?.revision ?? 0)
      expect(await change(4)).toMatchObject({ ok: true })
    })

    it('of weight let a row shrink that is over them', async () => {
      const { revision } = await hold.add('a', note({ weight: 20 }))
      const caps: Cap<'byOwner'>[] = [{ name: 'heavy', index: 'byOwner', eq: ['ann'], max: 10, of: 'weight' }]
      expect(await hold.store.swap(notes, 'a', revision, note({ weight: 15 }), { caps })).toMatchObject({
        ok: true,
      })
    })
  })
}
