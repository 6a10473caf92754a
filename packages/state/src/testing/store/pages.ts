import { describe, expect, it } from 'vitest'
import { AWKWARD_KEYS } from './awkward-keys.ts'
import { type Hold, note, notes, numbered, others } from './hold.ts'

/** Cursors: no loss, no repetition, no way past `eq`. */
export function pageRules(hold: Hold): void {
  describe('pages', () => {
    it.each([1, 3, 1000])(
      'turn pages of %i over keys of any Unicode without loss or repetition',
      async (limit) => {
        await hold.addTitles(AWKWARD_KEYS)
        const expected = [...AWKWARD_KEYS].sort()
        expect(await hold.walk({ eq: ['ann'], limit })).toEqual(expected)
        expect(await hold.walk({ eq: ['ann'], limit, order: 'desc' })).toEqual(expected.reverse())
      },
    )

    it('turn pages over equal keys', async () => {
      for (let n = 0; n < 7; n++) await hold.add(numbered(n), note())
      expect(await hold.walk({ eq: ['ann'], limit: 2 })).toHaveLength(7)
    })

    it('end on the last row, full page or not', async () => {
      await hold.addTitles(['a', 'b'])
      expect((await hold.store.scan(notes, 'byOwner', { limit: 2 })).next).toBeNull()
      expect((await hold.store.scan(notes, 'byOwner', { limit: 3 })).next).toBeNull()
      expect((await hold.store.scan(others, 'byOwner', { limit: 1 })).next).toBeNull()
    })

    it('keep their place while others insert and remove', async () => {
      const title = (n: number) => `k${numbered(n)}`
      await hold.addTitles(Array.from({ length: 12 }, (_, n) => title(n)))
      const removeTitle = async (n: number) => {
        const [row] = (await hold.store.scan(notes, 'byOwner', { eq: ['ann', title(n)], limit: 1 })).rows
        if (row) await hold.store.remove(notes, row.id, row.revision)
      }
      const seen = await hold.walk({ eq: ['ann'], limit: 3 }, async (page) => {
        await removeTitle(page * 3)
        if (page === 1) await removeTitle(10)
        await hold.add(`below${page}`, note({ title: `a${page}` }))
        if (page < 2) await hold.add(`above${page}`, note({ title: `z${page}` }))
      })
      const expected = Array.from({ length: 12 }, (_, n) => title(n)).filter((_, n) => n !== 10)
      expect(seen).toEqual([...expected, 'z0', 'z1'])
    })

    it('go on from a cursor whose row is gone', async () => {
      await hold.addTitles(['a', 'b', 'c', 'd'])
      const { rows, next } = await hold.store.scan(notes, 'byOwner', { eq: ['ann'], limit: 2 })
      for (const r of rows) await hold.store.remove(notes, r.id, r.revision)
      expect(await hold.titles({ after: next })).toEqual(['c', 'd'])
      expect(await hold.titles({ after: next, order: 'desc' })).toEqual([])
    })

    it('keep the bounds of the scan that goes on, wherever they came from', async () => {
      await hold.addTitles(['a', 'b', 'k1', 'k2', 'y', 'z'])
      const early = (await hold.store.scan(notes, 'byOwner', { eq: ['ann'], limit: 1 })).next
      const late = (await hold.store.scan(notes, 'byOwner', { eq: ['ann'], order: 'desc', limit: 1 })).next
      expect(await hold.titles({ after: early, prefix: 'k' })).toEqual(['k1', 'k2'])
      expect(await hold.titles({ after: late, prefix: 'k', order: 'desc' })).toEqual(['k2', 'k1'])
    })

    it('refuse a cursor of another index, another collection or none', async () => {
      await hold.addTitles(['a', 'b'])
      const { next } = await hold.store.scan(notes, 'byOwner', { limit: 1 })
      const refused = { name: 'StoreError', code: 'bad_cursor' }
      await expect(hold.store.scan(notes, 'dueAt', { limit: 1, after: next })).rejects.toMatchObject(refused)
      await expect(hold.store.scan(others, 'byOwner', { limit: 1, after: next })).rejects.toMatchObject(
        refused,
      )
      for (const after of ['', 'x', '%', '\u0000', 'é'.repeat(100), '../..', `x${next}`])
        await expect(hold.store.scan(notes, 'byOwner', { limit: 1, after })).rejects.toMatchObject(refused)
    })

    it("never read beyond eq, whosever cursor it is, and tell nothing of another's key in it", async () => {
      await hold.addTitles(['a', 'b', 'c'])
      await hold.add('x', note({ owner: 'bob', title: 'b2' }))
      const { next } = await hold.store.scan(notes, 'byOwner', { eq: ['ann'], limit: 2 })
      expect(Buffer.from(next ?? '', 'base64url').toString('latin1')).not.toContain('ann')
      expect(await hold.titles({ eq: ['bob'], after: next })).toEqual(['b2'])
    })

    it('refuse a limit below 1', async () => {
      await expect(hold.store.scan(notes, 'byOwner', { limit: 0 })).rejects.toThrow(
        'limit must be at least 1, got 0',
      )
    })
  })
}
