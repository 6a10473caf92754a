import type { Clock } from '../clock.ts'
import { type UserRow, users } from '../records.ts'
import type { Copies } from '../store/copies.ts'
import type { Store, StoreRecord } from '../store/port.ts'

/** The people who have signed in. */
export interface Users {
  /** The user's record; made at first sight, because the sign-in vouches for the id. */
  ensure(id: string): Promise<StoreRecord<UserRow>>
  /** Forgets a user: tokens and sign-ins of it are refused from the next call on. */
  remove(id: string): Promise<boolean>
}

/** Opens the users over a store. */
export function openUsers({ store, copies, clock }: { store: Store; copies: Copies; clock: Clock }): Users {
  return {
    async ensure(id) {
      const known = await copies.users.get(id)
      if (known) return known
      const inserted = await store.insert(users, id, { created_at: clock.now() })
      const record = inserted.ok ? inserted.record : 'exists' in inserted ? inserted.exists : undefined
      if (!record) throw new Error('a user was refused without a cap')
      copies.users.drop(id, record)
      return record
    },
    async remove(id) {
      const record = await store.get(users, id)
      const removed = record !== null && (await store.remove(users, id, record.revision))
      copies.users.drop(id)
      return removed
    },
  }
}
