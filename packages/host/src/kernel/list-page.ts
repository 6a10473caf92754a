import { type Limits, wrongArg } from '@svc/contract'
import { type Page, StoreError, type StoreRecord } from '@svc/state'

/** Which page of a list is asked for, and what it is searched for. */
export interface ListQuery {
  /** What entries are searched for. */
  readonly search?: string | undefined
  /** The most entries of a page. */
  readonly limit: number
  /** The `next_cursor` of the page before; left out: the first page. */
  readonly cursor?: string | undefined
}

/** One page of a list. */
export interface ListPage<Entry> {
  readonly entries: readonly Entry[]
  /** What the next page is asked with; `null` after the last. */
  readonly next_cursor: string | null
}

/**
 * Reads a page of records, and leaves out those of which `entryOf` makes `null`. It never reads more than it has room
 * for, so that the cursor is always behind the last record that was looked at. After `LIST_READS_MAX` reads the page
 * ends early: one that finds little does not go through the whole list. Errors: `invalid_arg` for a cursor of another list.
 */
export async function listPage<Row, Entry>(
  { limit, cursor }: ListQuery,
  { LIST_READS_MAX }: Pick<Limits, 'LIST_READS_MAX'>,
  scan: (range: { readonly after: string | null; readonly limit: number }) => Promise<Page<Row>>,
  entryOf: (record: StoreRecord<Row>) => Promise<Entry | null>,
): Promise<ListPage<Entry>> {
  const entries: Entry[] = []
  let after = cursor ?? null
  for (let reads = 0; reads < LIST_READS_MAX; reads += 1) {
    const page = await scan({ after, limit: limit - entries.length }).catch(refuseCursor)
    for (const record of page.rows) {
      const entry = await entryOf(record)
      if (entry !== null) entries.push(entry)
    }
    after = page.next
    if (after === null || entries.length === limit) break
  }
  return { entries, next_cursor: after }
}

function refuseCursor(error: unknown): never {
  if (error instanceof StoreError && error.code === 'bad_cursor')
    throw wrongArg('cursor', 'must be a next_cursor of this list')
  throw error
}
