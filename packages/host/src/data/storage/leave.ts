import { each, eachSettled, type Store } from '@svc/state'
import { items, spaces } from '../../catalog/records.ts'

/** Removes every value of a space, and what is known of its generations: who installs the app again finds none. */
export async function letItemsGo(store: Store, space: string): Promise<void> {
  await eachSettled(each(store, items, 'live', { eq: [space] }), ({ id, revision }) =>
    store.remove(items, id, revision),
  )
  const kept = await store.get(spaces, space)
  if (kept) await store.remove(spaces, space, kept.revision)
}
