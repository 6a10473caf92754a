import type { Cap, Collection, InsertResult, Store, StoreRecord } from '@svc/state'

/** How much is kept of one owner: past it the oldest records that may go make room for a new one. */
export interface Room<Row, Index extends string> {
  /** What may be kept; the name says nothing. */
  readonly cap: Omit<Cap<Index>, 'name'>
  /** The index of those that may go, the oldest first; its keys begin with the `eq` of the cap. */
  readonly oldest: NoInfer<Index>
  /** Forgets one, with all that belongs to it. */
  readonly forget: (record: StoreRecord<Row>) => Promise<unknown>
}

/** The name of the cap that is full where there is no room and nothing may go. */
export const NO_ROOM = 'room'

/** Inserts a record under caps. Where there is no room, the oldest go, so that nobody fills the store with what has ended. */
export async function insertWithRoom<Row, Index extends string>(
  store: Store,
  collection: Collection<Row, Index>,
  id: string,
  row: Row,
  {
    caps = [],
    room,
  }: { readonly caps?: readonly Cap<NoInfer<Index>>[]; readonly room: Room<Row, NoInfer<Index>> },
): Promise<InsertResult<Row>> {
  for (;;) {
    const inserted = await store.insert(collection, id, row, {
      caps: [...caps, { ...room.cap, name: NO_ROOM }],
    })
    if (!('full' in inserted) || inserted.full !== NO_ROOM) return inserted
    const { rows } = await store.scan(collection, room.oldest, { eq: room.cap.eq, limit: 1 })
    if (rows.length === 0) return inserted
    for (const oldest of rows) await room.forget(oldest)
  }
}
