import type { Store } from '@svc/state'
import { eachDue } from '@svc/state'
import { type ItemRow, items, spaces } from '../records.ts'

const PAGE = 100

/** Removes every value of a space, and what is known of its generations: who installs the app again finds none. */
export async function letItemsGo(store: Store, space: string): Promise<void> {
  await eachDue<ItemRow>(
    (after) => store.scan(items, 'live', { eq: [space], after, limit: PAGE }),
    ({ id, revision }) => store.remove(items, id, revision),
  )
  const kept = await store.get(spaces, space)
  if (kept) await store.remove(spaces, space, kept.revision)
}
