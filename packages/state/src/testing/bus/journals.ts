import { describe, expect, it } from 'vitest'
import { entries, fill, type Hold } from './hold.ts'

/** Numbering without holes, fencing, and what retention leaves. */
export function journalRules(hold: Hold): void {
  describe('journals', () => {
    it('are empty until something is appended', async () => {
      expect(await hold.bus.journal.read('j', 0)).toEqual({ items: [], first: 1, tail: 0, reset: false })
    })

    it('number from 1, and give what stands after a cursor', async () => {
      expect(await fill(hold.bus, 'j', 1, 2)).toEqual({ ok: true, tail: 2 })
      expect(await fill(hold.bus, 'j', 3, 5)).toEqual({ ok: true, tail: 5 })
      const whole = { first: 1, tail: 5, reset: false }
      expect(await hold.bus.journal.read('j', 0)).toEqual({ ...whole, items: entries(1, 5) })
      expect(await hold.bus.journal.read('j', 3)).toEqual({ ...whole, items: entries(4, 5) })
      expect(await hold.bus.journal.read('j', 5)).toEqual({ ...whole, items: [] })
      expect(await hold.bus.journal.read('j', 1, { limit: 2 })).toEqual({ ...whole, items: entries(2, 3) })
      expect(await hold.bus.journal.read('j', 0, { limit: 0 })).toEqual({ ...whole, items: [] })
      expect((await hold.bus.journal.read('k', 0)).items).toEqual([])
    })

    it('carry text untouched', async () => {
      const items = ['{"s":"\\ud800\\u0000"}', '"é \u{1f600}"', ' 1 ', '""', '{"__proto__":1}']
      await hold.bus.journal.append('j', 1, items)
      expect((await hold.bus.journal.read('j', 0)).items.map((e) => e.item)).toEqual(items)
    })

    it.each([0, 1, 2, 3, 5, -1, 3.5, Number.NaN])(
      'refuse %d where 4 is next, and say where they are',
      async (seq) => {
        await fill(hold.bus, 'j', 1, 3)
        expect(await hold.bus.journal.append('j', seq, ['"x"'])).toEqual({ ok: false, refused: 3 })
        expect((await hold.bus.journal.read('j', 0)).items).toEqual(entries(1, 3))
      },
    )

    it('start with 1 and nothing else', async () => {
      expect(await hold.bus.journal.append('j', 2, ['"x"'])).toEqual({ ok: false, refused: 0 })
    })

    it('take an empty append as a question about the tail', async () => {
      await fill(hold.bus, 'j', 1, 3)
      expect(await hold.bus.journal.append('j', 4, [])).toEqual({ ok: true, tail: 3 })
      expect(await hold.bus.journal.append('j', 3, [])).toEqual({ ok: false, refused: 3 })
    })

    it('do not take the same write twice', async () => {
      await fill(hold.bus, 'j', 1, 3)
      expect(await fill(hold.bus, 'j', 1, 3)).toEqual({ ok: false, refused: 3 })
      expect(await fill(hold.bus, 'j', 3, 4)).toEqual({ ok: false, refused: 3 })
      expect((await hold.bus.journal.read('j', 0)).items).toEqual(entries(1, 3))
    })

    it('of 20 writers that hold one tail let exactly one write', async () => {
      await fill(hold.bus, 'j', 1, 3)
      const writers = Array.from({ length: 20 }, (_, n) =>
        hold.bus.journal.append('j', 4, [`"${n}"`, `"${n}b"`]),
      )
      const results = await Promise.all(writers)
      const winner = results.findIndex((r) => r.ok)
      expect(results.filter((r) => r.ok)).toEqual([{ ok: true, tail: 5 }])
      expect(results.filter((r) => !r.ok)).toEqual(Array(19).fill({ ok: false, refused: 5 }))
      const { items } = await hold.bus.journal.read('j', 3)
      expect(items.map((e) => e.item)).toEqual([`"${winner}"`, `"${winner}b"`])
    })

    it('let writers that go on from the refusal all write in the end', async () => {
      const write = async (item: string) => {
        let seq = 1
        for (let tries = 0; tries < 50; tries++) {
          const written = await hold.bus.journal.append('j', seq, [item])
          if (written.ok) return
          seq = written.refused + 1
        }
        throw new Error(`${item} found no place`)
      }
      const all = Array.from({ length: 20 }, (_, n) => `"${n}"`)
      await Promise.all(all.map(write))
      const { items } = await hold.bus.journal.read('j', 0)
      expect(items.map((e) => e.seq)).toEqual(all.map((_, n) => n + 1))
      expect(items.map((e) => e.item).sort()).toEqual([...all].sort())
    })

    it('keep the last items and go on with the numbering', async () => {
      await fill(hold.bus, 'j', 1, 10)
      await hold.bus.journal.trim('j', { keep: 4 })
      expect(await hold.bus.journal.read('j', 6)).toEqual({
        items: entries(7, 10),
        first: 7,
        tail: 10,
        reset: false,
      })
      expect(await hold.bus.journal.read('j', 8)).toMatchObject({ items: entries(9, 10), reset: false })
      expect(await fill(hold.bus, 'j', 11, 11)).toEqual({ ok: true, tail: 11 })
    })

    it('tell a reader that what it asks for is gone, and give what is left', async () => {
      await fill(hold.bus, 'j', 1, 10)
      await hold.bus.journal.trim('j', { keep: 4 })
      const hole = { items: entries(7, 10), first: 7, tail: 10, reset: true }
      expect(await hold.bus.journal.read('j', 5)).toEqual(hole)
      expect(await hold.bus.journal.read('j', 0)).toEqual(hole)
      expect(await hold.bus.journal.read('j', 0, { limit: 1 })).toEqual({ ...hole, items: entries(7, 7) })
    })

    it.each([4, 1.5, -1, Number.NaN, Number.POSITIVE_INFINITY])(
      'tell a reader that %d is not a cursor of theirs',
      async (after) => {
        await fill(hold.bus, 'j', 1, 3)
        expect(await hold.bus.journal.read('j', after)).toEqual({
          items: entries(1, 3),
          first: 1,
          tail: 3,
          reset: true,
        })
        expect(await hold.bus.journal.read('none', after)).toEqual({
          items: [],
          first: 1,
          tail: 0,
          reset: true,
        })
      },
    )

    it('keep their tail when nothing is left', async () => {
      await fill(hold.bus, 'j', 1, 3)
      await hold.bus.journal.trim('j', { keep: 0 })
      expect(await hold.bus.journal.read('j', 3)).toEqual({ items: [], first: 4, tail: 3, reset: false })
      expect(await hold.bus.journal.read('j', 2)).toEqual({ items: [], first: 4, tail: 3, reset: true })
      expect(await fill(hold.bus, 'j', 4, 4)).toEqual({ ok: true, tail: 4 })
    })

    it.each([
      ['the last two', { keep: 2 }, 5],
      ['more than there are', { keep: 100 }, 1],
      ['what is younger than 100 ms', { olderThanMs: 100 }, 5],
      ['what is younger than 101 ms', { olderThanMs: 101 }, 3],
      ['everything while it is young', { olderThanMs: 1000 }, 1],
      ['nothing once it is old', { olderThanMs: 0 }, 7],
      ['the last four though they are old', { keep: 4, olderThanMs: 0 }, 3],
      ['what is young though it is more than one', { keep: 1, olderThanMs: 101 }, 3],
    ])('keep %s', async (_, options, first) => {
      for (const seq of [1, 3, 5]) {
        await fill(hold.bus, 'j', seq, seq + 1)
        await hold.clock.advance(seq === 5 ? 0 : 100)
      }
      await hold.bus.journal.trim('j', options)
      const left = await hold.bus.journal.read('j', first - 1)
      expect(left).toEqual({ items: entries(first, 6), first, tail: 6, reset: false })
    })

    it.each([
      ['all that has exactly so many bytes', { keep: 100, maxBytes: 10 }, 1],
      ['the last ones within their bytes, though they are young', { olderThanMs: 1000, maxBytes: 9 }, 2],
      ['the last ones within their bytes, though more were to be kept', { keep: 3, maxBytes: 5 }, 3],
      ['nothing in no bytes', { keep: 3, maxBytes: 0 }, 4],
      ['less than their bytes would let them', { keep: 1, maxBytes: 10 }, 3],
    ])('keep %s', async (_, options, first) => {
      // Two, four and four bytes of UTF-8.
      const items = ['""', '"é"', '"ü"']
      await hold.bus.journal.append('j', 1, items)
      await hold.bus.journal.trim('j', options)
      const left = items.map((item, at) => ({ seq: at + 1, item })).slice(first - 1)
      expect(await hold.bus.journal.read('j', first - 1)).toEqual({
        items: left,
        first,
        tail: 3,
        reset: false,
      })
      await hold.bus.journal.trim('j', { keep: 100, maxBytes: 4 })
      expect((await hold.bus.journal.read('j', 3)).first).toBe(Math.max(first, 3))
    })

    it('are dropped while others begin, and take nothing of them along', async () => {
      const many = 3_000
      await fill(hold.bus, 'old', 1, many)
      const [, ...begun] = await Promise.all([
        hold.bus.journal.drop('old'),
        ...['new', 'old'].map((name) => hold.bus.journal.append(name, 1, ['"begun"'])),
      ])
      expect(begun[0]).toEqual({ ok: true, tail: 1 })
      expect((await hold.bus.journal.read('new', 0)).items).toEqual([{ seq: 1, item: '"begun"' }])
      const old = await hold.bus.journal.read('old', 0)
      expect(old.tail).toBe(begun[1]?.ok ? 1 : 0)
    })

    it('forget their numbering when they are dropped', async () => {
      await fill(hold.bus, 'j', 1, 3)
      await hold.bus.journal.drop('j')
      await hold.bus.journal.drop('j')
      await hold.bus.journal.trim('j', { keep: 1 })
      expect(await hold.bus.journal.read('j', 0)).toEqual({ items: [], first: 1, tail: 0, reset: false })
      expect(await fill(hold.bus, 'j', 1, 1)).toEqual({ ok: true, tail: 1 })
    })
  })
}
