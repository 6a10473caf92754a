import { each, eachSettled, type Store } from '@svc/state'
import { states, windows } from '../catalog/records.ts'
import type { WindowParts } from './parts.ts'

/** Forgets the state that a window kept; a write that comes in between is forgotten too. */
export async function forgetState(store: Store, uuid: string): Promise<void> {
  for (let old = await store.get(states, uuid); old; old = await store.get(states, uuid))
    await store.remove(states, uuid, old.revision)
}

/** Forgets windows, and what they kept, that were closed `CLOSED_WINDOW_KEEP_MS` ago. */
export async function forgetClosedWindows(services: WindowParts): Promise<void> {
  const { clock, copies, limits, store } = services
  const to = clock.now() - limits.CLOSED_WINDOW_KEEP_MS
  await eachSettled(
    each(store, windows, 'closedAt', { to, limit: limits.CLEAN_RECORDS_MAX }),
    async ({ id, revision }) => {
      await forgetState(store, id)
      if (await store.remove(windows, id, revision)) copies.windows.drop(id)
    },
  )
}
