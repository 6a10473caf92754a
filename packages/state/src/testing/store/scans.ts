import { describe, expect, it } from 'vitest'
import { AWKWARD_KEYS } from './awkward-keys.ts'
import { type Hold, note, notes, numbered } from './hold.ts'

/** Order, ranges and prefixes of the indexes. */
export function scanRules(hold: Hold): void {
  describe('scans', () => {
    it.each([
      ['upwards', {}, ['a', 'b', 'c', 'd']],
      ['downwards', { order: 'desc' as const }, ['d', 'c', 'b', 'a']],
      ['from a value', { from: 'b' }, ['b', 'c', 'd']],
      ['to a value', { to: 'b' }, ['a', 'b']],
      ['between two values', { from: 'aa', to: 'c' }, ['b', 'c']],
      ['between two values, downwards', { from: 'aa', to: 'c', order: 'desc' as const }, ['c', 'b']],
      ['between values the wrong way round', { from: 'c', to: 'b' }, []],
      ['with a limit', { limit: 2 }, ['a', 'b']],
      ['downwards with a limit', { limit: 2, order: 'desc' as const }, ['d', 'c']],
      ['one key', { eq: ['ann', 'c'] }, ['c']],
      ['another owner', { eq: ['bob'] }, ['x']],
      ['nobody', { eq: ['an'] }, []],
      ['all owners', { eq: [] }, ['a', 'b', 'c', 'd', 'x']],
      ['a range of owners', { eq: [], from: 'b' }, ['x']],
    ])('go %s', async (_, options, expected) => {
      await hold.addTitles(['c', 'a', 'd', 'b'])
      await hold.add('x', note({ owner: 'bob', title: 'x' }))
      expect(await hold.titles(options)).toEqual(expected)
    })

    it('order numbers by value and leave out rows without a key', async () => {
      const dues = [10, -1, 0.5, null, 2 ** 40, -1e-9, 9, null, -200]
      for (const [n, due_at] of dues.entries()) await hold.add(numbered(n), note({ due_at }))
      const dueTo = async (to?: number) =>
        (await hold.store.scan(notes, 'dueAt', { limit: 99, ...(to === undefined ? {} : { to }) })).rows.map(
          (r) => r.row.due_at,
        )
      expect(await dueTo()).toEqual([-200, -1, -1e-9, 0.5, 9, 10, 2 ** 40])
      expect(await dueTo(9)).toEqual([-200, -1, -1e-9, 0.5, 9])
    })

    it('meet only values of the type of a bound', async () => {
      for (const [n, due_at] of [3, null, 1].entries()) await hold.add(numbered(n), note({ due_at }))
      const page = await hold.store.scan(notes, 'maybeDue', { eq: ['ann'], to: 2, limit: 9 })
      expect(page.rows.map((r) => r.row.due_at)).toEqual([1])
      const none = await hold.store.scan(notes, 'maybeDue', { eq: ['ann'], from: null, limit: 9 })
      expect(none.rows.map((r) => r.row.due_at)).toEqual([null])
      expect((await hold.store.scan(notes, 'maybeDue', { eq: ['ann'], limit: 9 })).rows).toHaveLength(3)
    })

    it('order equal keys by id', async () => {
      for (const id of ['c', 'a', 'b']) await hold.add(id, note())
      const page = await hold.store.scan(notes, 'byOwner', { limit: 9 })
      expect(page.rows.map((r) => r.id)).toEqual(['a', 'b', 'c'])
    })

    it.each(['%', '_', '*', '%%', '__', '**', '', 'a', 'k', '.', '\\', '\u0000', '\ud83d', 'x', 'a\u0000'])(
      'take the prefix %j as it stands',
      async (prefix) => {
        await hold.addTitles([...AWKWARD_KEYS, '%a', '_a', '*a', 'a%', '\\'])
        const expected = [...AWKWARD_KEYS, '%a', '_a', '*a', 'a%', '\\']
          .filter((t) => t.startsWith(prefix))
          .sort()
        expect(await hold.titles({ prefix })).toEqual(expected)
      },
    )

    it('keep a prefix and a bound at once', async () => {
      await hold.addTitles(['aa', 'ab', 'ac', 'b'])
      expect(await hold.titles({ prefix: 'a', from: 'ab' })).toEqual(['ab', 'ac'])
    })
  })
}
