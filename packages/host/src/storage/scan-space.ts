import { refuse } from '@svc/contract'
import type { Collection, Page, Store } from '../store/port.ts'
import { StoreError } from '../store/store-error.ts'

/** A page of what lies in a space, in the order of keys. Errors: `invalid_arg` for a cursor of another list. */
export async function scanSpace<Row>(
  store: Store,
  collection: Collection<Row, 'live'>,
  space: string,
  by: { readonly prefix: string | undefined; readonly after: string | null; readonly limit: number },
): Promise<Page<Row>> {
  const { prefix, after, limit } = by
  try {
    return await store.scan(collection, 'live', {
      eq: [space],
      ...(prefix !== undefined && { prefix }),
      after,
      limit,
    })
  } catch (error) {
    if (error instanceof StoreError && error.code === 'bad_cursor')
      throw refuse('invalid_arg', 'cursor must be a next_cursor of this list')
    throw error
  }
}
