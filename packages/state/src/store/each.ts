import { pause } from '@svc/node'
import type { Collection, Page, ScanOptions, Store, StoreRecord } from './port.ts'

/** Records that one scan asks for where nobody says how many. */
const PAGE = 100

/** Which records are wanted: a scan without a page. `limit` is how many are read at a time. */
export type EachOptions = Omit<ScanOptions, 'after' | 'limit'> & {
  /** Records that one scan asks for; default 100. */
  limit?: number
}

/**
 * Every record of a scan, read page by page; others have their turn between two pages. What is removed or changed
 * meanwhile spoils nothing: a page begins after the key of the last record before it.
 *
 * `for await (const { row } of each(store, jobs, 'byUser', { eq: [userId] })) …`
 */
export async function* each<Row, Index extends string>(
  store: Pick<Store, 'scan'>,
  collection: Collection<Row, Index>,
  index: NoInfer<Index>,
  options: EachOptions = {},
): AsyncGenerator<StoreRecord<Row>, void, undefined> {
  const { limit = PAGE, ...range } = options
  for (let after: string | null = null; ; await pause()) {
    const page: Page<Row> = await store.scan(collection, index, { ...range, limit, after })
    yield* page.rows
    if (page.next === null) return
    after = page.next
  }
}

/** The same as a list. */
export function all<Row, Index extends string>(
  store: Pick<Store, 'scan'>,
  collection: Collection<Row, Index>,
  index: NoInfer<Index>,
  { limit = PAGE, ...range }: EachOptions = {},
): Promise<StoreRecord<Row>[]> {
  const pageAfter = (after: string | null) => store.scan(collection, index, { ...range, limit, after })
  const withRest = async ({ rows, next }: Page<Row>): Promise<StoreRecord<Row>[]> => {
    const found = [...rows]
    for (let after = next; after !== null; ) {
      await pause()
      const page: Page<Row> = await pageAfter(after)
      found.push(...page.rows)
      after = page.next
    }
    return found
  }
  // Mostly one page has them all: a generator would cost more than its scan.
  return pageAfter(null).then((first) => (first.next === null ? first.rows : withRest(first)))
}

/**
 * Does something with each of these records. One that fails keeps no other from it; the first failure is thrown at the
 * end.
 */
export async function eachSettled<Row>(
  records: AsyncIterable<StoreRecord<Row>>,
  work: (record: StoreRecord<Row>) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  for await (const record of records) await work(record).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
