import { describe, expect, it } from 'vitest'
import { type Hold, note, notes } from './hold.ts'

/** Compare-and-set: of many writers of one revision one wins. */
export function swapRules(hold: Hold): void {
  describe('swap and remove', () => {
    it('of two swaps on one revision exactly one wins', async () => {
      const { revision } = await hold.add('a', note())
      const swaps = Array.from({ length: 20 }, (_, n) =>
        hold.store.swap(notes, 'a', revision, note({ title: `${n}` })),
      )
      const results = await Promise.all(swaps)
      const won = results.filter((r) => r.ok)
      expect(won).toHaveLength(1)
      expect(results.filter((r) => !r.ok && 'lost' in r && r.lost)).toHaveLength(19)
      expect(await hold.store.get(notes, 'a')).toEqual(won[0]?.ok && won[0].record)
    })

    it('a swap of nothing is lost', async () => {
      expect(await hold.store.swap(notes, 'a', 1, note())).toEqual({ ok: false, lost: true })
    })

    it('a swap moves the record in every index', async () => {
      const { revision } = await hold.add('a', note({ title: 'old', due_at: 5 }))
      expect(await hold.store.swap(notes, 'a', revision, note({ title: 'new' }))).toMatchObject({ ok: true })
      expect(await hold.titles()).toEqual(['new'])
      expect((await hold.store.scan(notes, 'dueAt', { limit: 9 })).rows).toEqual([])
    })

    it('a removal needs the revision, and happens once', async () => {
      const { revision } = await hold.add('a', note())
      expect(await hold.store.remove(notes, 'a', revision + 1)).toBe(false)
      expect(await hold.store.remove(notes, 'b', revision)).toBe(false)
      const removals = await Promise.all([1, 2, 3].map(() => hold.store.remove(notes, 'a', revision)))
      expect(removals.filter(Boolean)).toHaveLength(1)
      expect(await hold.store.get(notes, 'a')).toBeNull()
      expect(await hold.titles()).toEqual([])
    })

    it('a revision grows and is never used again, not even after a removal', async () => {
      const first = await hold.add('a', note())
      const second = await hold.store.swap(notes, 'a', first.revision, note())
      expect(second.ok && second.record.revision).toBeGreaterThan(first.revision)
      await hold.store.remove(notes, 'a', second.ok ? second.record.revision : 0)
      const third = await hold.add('a', note())
      expect(third.revision).toBeGreaterThan(second.ok ? second.record.revision : 0)
      expect(await hold.store.swap(notes, 'a', first.revision, note())).toEqual({ ok: false, lost: true })
    })
  })
}
