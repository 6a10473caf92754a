import { wrongArg } from '@svc/contract'
import type { Collection, Page, ScanOptions, Store } from '@svc/state'
import { StoreError } from '@svc/state'

/** A page of a list that a caller reads on with its cursor. Errors: `invalid_arg` for a cursor of another list. */
export async function readPage<Row, Index extends string>(
  store: Store,
  collection: Collection<Row, Index>,
  index: NoInfer<Index>,
  options: ScanOptions,
): Promise<Page<Row>> {
  try {
    return await store.scan(collection, index, options)
  } catch (error) {
    if (error instanceof StoreError && error.code === 'bad_cursor')
      throw wrongArg('cursor', 'must be a next_cursor of this list')
    throw error
  }
}

/** A page of what lies in a space, in the order of keys. Errors: `invalid_arg` for a cursor of another list. */
export const scanSpace = <Row>(
  store: Store,
  collection: Collection<Row, 'live'>,
  space: string,
  {
    prefix,
    after,
    limit,
  }: { readonly prefix: string | undefined; readonly after: string | null; readonly limit: number },
): Promise<Page<Row>> =>
  readPage(store, collection, 'live', {
    eq: [space],
    ...(prefix !== undefined && { prefix }),
    after,
    limit,
  })
