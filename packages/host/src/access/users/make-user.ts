import { refuse } from '@svc/contract'
import type { StoreRecord } from '@svc/state'
import { OPERATOR, type UserRow, users } from '../../catalog/records.ts'
import type { AccessServices } from '../services.ts'
import { BlockedRefusal } from './admitted.ts'
import { removedId, removedUsers } from './removed-users.ts'

/** Refuses the id under which nobody signs in. Errors: `invalid_arg`. */
export function holdUser(id: string): void {
  if (id === OPERATOR)
    throw refuse('invalid_arg', `${OPERATOR} is the owner of the configured apps, and no user`)
}

/**
 * Writes the row of a user who was never removed, or returns the one that is there. Who was removed is asked for behind
 * the write too: either the removal finds the row, or this finds the removal. Errors: `permission_denied` (removed).
 */
export async function makeUser(
  { store }: Pick<AccessServices, 'store'>,
  id: string,
  row: UserRow,
): Promise<StoreRecord<UserRow>> {
  const isRemoved = async () => (await store.get(removedUsers, removedId(id))) !== null
  if (await isRemoved()) throw new BlockedRefusal(id)
  const inserted = await store.insert(users, id, row)
  if (!inserted.ok) {
    if ('exists' in inserted) return inserted.exists
    throw new Error('a user was refused without a cap')
  }
  if (!(await isRemoved())) return inserted.record
  await store.remove(users, id, inserted.record.revision)
  throw new BlockedRefusal(id)
}
