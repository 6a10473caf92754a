import { each, type Store } from '@svc/state'
import { type SnapshotRecord, snapshots } from './plug-row.ts'

/** The newest version of a plugin; `null` when there is none. */
export async function newest(
  { store }: { readonly store: Store },
  toolId: string,
): Promise<SnapshotRecord | null> {
  const page = await store.scan(snapshots, 'byPlug', { eq: [toolId], order: 'desc', limit: 1 })
  return page.rows[0] ?? null
}

/** A version by its name; `null` when there is none. */
export async function findSnapshot(
  { store }: { readonly store: Store },
  toolId: string,
  version: string,
): Promise<SnapshotRecord | null> {
  const page = await store.scan(snapshots, 'byVersion', { eq: [toolId, version], limit: 1 })
  return page.rows[0] ?? null
}

const PAGE = 20

/** The version that a new install gets: the newest that is not yanked; `null` when there is none. */
export async function offered(
  { store }: { readonly store: Store },
  toolId: string,
): Promise<SnapshotRecord | null> {
  const newestFirst = { eq: [toolId], order: 'desc', limit: PAGE } as const
  for await (const record of each(store, snapshots, 'byPlug', newestFirst))
    if (record.row.status !== 'yanked') return record
  return null
}
