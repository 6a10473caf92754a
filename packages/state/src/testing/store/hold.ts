import { expect } from 'vitest'
import { type Cap, collection, type ScanOptions, type Store, type StoreRecord } from '../../store/port.ts'

/** The kind of record that the suite writes. */
export interface Note {
  owner: string
  title: string
  due_at: number | null
  body?: unknown
  weight?: number
}

/** Notes, with an index of every sort: several parts, nullable, with a null part. */
export const notes = collection({
  name: 'suite_notes',
  row: {} as Note,
  indexes: {
    byOwner: (r) => [r.owner, r.title],
    dueAt: (r) => (r.due_at === null ? null : [r.due_at]),
    maybeDue: (r) => [r.owner, r.due_at],
  },
  weight: (r) => r.weight ?? 0,
})

/** A second kind that shares the name of an index with the first. */
export const others = collection({
  name: 'suite_others',
  row: {} as Note,
  indexes: { byOwner: (r) => [r.owner, r.title] },
})

/** A note of ann's, with `fields` in place of the usual ones. */
export const note = (fields: Partial<Note> = {}): Note => ({
  owner: 'ann',
  title: 't',
  due_at: null,
  ...fields,
})

/** An id or title that sorts as its number does. */
export const numbered = (n: number): string => `n${String(n).padStart(3, '0')}`

/** At most `max` notes of ann's. */
export const capOf = (max: number): Cap<'byOwner'>[] => [
  { name: 'per_owner', index: 'byOwner', eq: ['ann'], max },
]

/** The store under test, fresh for each test, and the few things every rule does with it. */
export interface Hold {
  store: Store
  add(id: string, row: Note): Promise<StoreRecord<Note>>
  /** Adds ann's notes of these titles in this order, due at 0, 1, 2, … */
  addTitles(titles: readonly string[]): Promise<void>
  /** The titles one scan of `byOwner` gives; ann's unless `options` say otherwise. */
  titles(options?: Partial<ScanOptions>): Promise<string[]>
  /** The titles of all pages; calls `between` after each page. */
  walk(options: ScanOptions, between?: (page: number) => Promise<void>): Promise<string[]>
}

/** Takes hold of a store. */
export function takeHold(store: Store): Hold {
  const add: Hold['add'] = async (id, row) => {
    const written = await store.insert(notes, id, row)
    if (!written.ok) throw new Error(`${id} was not inserted`)
    return written.record
  }
  const page = (options: ScanOptions) => store.scan(notes, 'byOwner', options)
  return {
    store,
    add,
    async addTitles(titles) {
      for (const [n, title] of titles.entries()) await add(numbered(n), note({ title, due_at: n }))
    },
    async titles(options) {
      return (await page({ eq: ['ann'], limit: 1000, ...options })).rows.map((r) => r.row.title)
    },
    async walk(options, between) {
      const seen: string[] = []
      for (let n = 0, after: string | null = null; n === 0 || after !== null; n++) {
        const { rows, next }: Awaited<ReturnType<typeof page>> = await page({ ...options, after })
        expect(rows.length).toBeLessThanOrEqual(options.limit)
        seen.push(...rows.map((r) => r.row.title))
        await between?.(n)
        after = next
      }
      return seen
    },
  }
}
