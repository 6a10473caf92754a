import { collection, each, type Store } from '@svc/state'
import type { Hosts, Owner } from '../kernel/hosts.ts'

/** That events of a user wait in the memory of a host, which could not write them. */
export interface UntoldRow {
  readonly user_id: string
  readonly owner: Owner
}

export const untold = collection({
  name: 'untold',
  row: {} as UntoldRow,
  indexes: { byUser: (row) => [row.user_id] },
})

/** Opens the notes of this host about events that wait: where it dies, another one has the pages of their users read anew. */
export function openUntold({ store, hosts }: { readonly store: Store; readonly hosts: Hosts }) {
  const noted = new Set<string>()
  const turns = new Map<string, Promise<unknown>>()

  /** Does what concerns a user one after the other. */
  function inTurn<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const done = (turns.get(userId) ?? Promise.resolve()).then(work)
    const over = done
      .catch(() => {})
      .then(() => {
        if (turns.get(userId) === over) turns.delete(userId)
      })
    turns.set(userId, over)
    return done
  }
  const idOf = (userId: string) => `${hosts.id} ${userId}`

  return {
    /** Notes that events of a user wait here. */
    note: (userId: string): Promise<void> =>
      inTurn(userId, async () => {
        if (noted.has(userId)) return
        const row = { user_id: userId, owner: await hosts.me() }
        await store.insert(untold, idOf(userId), row)
        noted.add(userId)
      }),
    /** Takes the notes of users back for whom nothing waits any more. */
    async settle(isIdle: (userId: string) => boolean): Promise<void> {
      for (const userId of [...noted].filter(isIdle))
        await inTurn(userId, async () => {
          if (!isIdle(userId)) return
          const record = await store.get(untold, idOf(userId))
          if (record) await store.remove(untold, record.id, record.revision)
          noted.delete(userId)
        })
    },
    /** Has `reset` tell the pages of users whose events a dead host had not written; what was told is forgotten. */
    async adopt(reset: (userId: string) => Promise<boolean>): Promise<void> {
      for await (const { id, revision, row } of each(store, untold, 'byUser', { limit: EACH })) {
        if (row.owner.host_id === hosts.id || (await hosts.isLiving(row.owner))) continue
        if (await reset(row.user_id)) await store.remove(untold, id, revision)
      }
    },
    /** Forgets what is noted of a user. */
    forget: (userId: string): Promise<void> =>
      inTurn(userId, async () => {
        noted.delete(userId)
        for await (const { id, revision } of each(store, untold, 'byUser', { eq: [userId], limit: EACH }))
          await store.remove(untold, id, revision)
      }),
  }
}

const EACH = 100
