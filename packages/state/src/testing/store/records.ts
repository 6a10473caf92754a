import { describe, expect, it } from 'vitest'
import { type Hold, type Note, note, notes, others } from './hold.ts'

/** What is written comes back, whole and unchangeable. */
export function recordRules(hold: Hold): void {
  describe('records', () => {
    it('come back as they were written, and null when there are none', async () => {
      expect(await hold.store.get(notes, 'a')).toBeNull()
      const written = await hold.add('a', note({ title: 'first' }))
      expect(written).toEqual({ id: 'a', revision: expect.any(Number), row: note({ title: 'first' }) })
      expect(await hold.store.get(notes, 'a')).toEqual(written)
      expect(await hold.store.get(others, 'a')).toBeNull()
    })

    it.each([
      ['NUL', 'a\u0000b'],
      ['a lone high surrogate', 'a\ud83d'],
      ['a lone low surrogate', '\ude00b'],
      ['any Unicode', '\u{1f600}\uffff\u2028é'],
      ['deep values', { list: [1, null, { deep: ['\u0000'] }], no: false, big: 1e21 }],
      ['the names of Object', JSON.parse('{"__proto__": {"x": 1}, "constructor": 1, "toString": null}')],
    ])('carry %s in a row and in an id', async (_, body) => {
      const id = typeof body === 'string' ? body : 'id'
      await hold.add(id, note({ body }))
      const found = await hold.store.get(notes, id)
      expect(found?.id).toBe(id)
      expect(JSON.stringify(found?.row.body)).toBe(JSON.stringify(body))
    })

    it('cannot be changed by the writer afterwards nor by a reader', async () => {
      const row = note({ body: { list: [1] } })
      const written = await hold.add('a', row)
      ;(row.body as { list: number[] }).list.push(2)
      row.title = 'other'
      const read = (await hold.store.get(notes, 'a')) as { row: Note }
      expect(() => Object.assign(read.row, { title: 'other' })).toThrow(TypeError)
      expect(() => (read.row.body as { list: number[] }).list.push(2)).toThrow(TypeError)
      expect(() => Object.assign(written, { revision: 99 })).toThrow(TypeError)
      expect(await hold.store.get(notes, 'a')).toEqual({ ...written, row: note({ body: { list: [1] } }) })
    })
  })
}
