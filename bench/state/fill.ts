import { collection, type Store } from '@svc/state'

/** A row as most of the host's are: a few fields, two indexes. */
export interface Note {
  readonly owner: string
  readonly title: string
  readonly n: number
}

/** The kind of record that is measured. */
export const notes = collection({
  name: 'bench_notes',
  row: {} as Note,
  indexes: { byOwner: (row) => [row.owner, row.title], byTitle: (row) => [row.title] },
})

/** Rows that are written at once. */
const AT_ONCE = 1_000

/** Writes `rows` rows of a thousand owners. */
export async function fillStore(store: Store, rows: number): Promise<void> {
  for (let from = 0; from < rows; from += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, rows - from) }, (_, at) => {
        const n = from + at
        return store.insert(notes, `note-${n}`, { owner: `user-${n % 1_000}`, title: `title ${n}`, n })
      }),
    )
}
