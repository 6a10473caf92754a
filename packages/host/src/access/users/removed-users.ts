import { createHash } from 'node:crypto'
import { collection } from '@svc/state'

/** That a user was removed: his id lets nobody in again. It is known by its digest, so that nothing names him. */
export const removedUsers = collection({
  name: 'removed_users',
  row: {} as { readonly removed_at: number },
  indexes: {},
})

/** The id of that record. */
export const removedId = (userId: string): string =>
  createHash('sha256').update(`svc removed user ${userId}`).digest('base64url')
