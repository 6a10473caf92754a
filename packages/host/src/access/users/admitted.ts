import { Refusal, refuse } from '@svc/contract'
import type { StoreRecord } from '@svc/state'
import { type UserRow, users } from '../../catalog/records.ts'
import type { AccessServices } from '../services.ts'
import { removedId, removedUsers } from './removed-users.ts'

/** The refusal of a user who is blocked, which knows who it is about: no answer tells it, the audit log does. */
export class BlockedRefusal extends Refusal {
  readonly userId: string

  constructor(userId: string) {
    super('permission_denied', 'this user is blocked on this host', {
      denied_by: 'blocked',
      hint: 'Ask the operator of this host.',
    })
    this.userId = userId
  }
}

/** The record, of a user who is not blocked. Errors: `permission_denied` (blocked). */
export function unblocked(record: StoreRecord<UserRow>): StoreRecord<UserRow> {
  if (record.row.blocked_at === undefined) return record
  throw new BlockedRefusal(record.id)
}

/** Why what a blocked user had open ended. */
export const BLOCKED = 'the user was blocked'

/** How many times a user was signed out everywhere. */
export const signOutsOf = (record: StoreRecord<UserRow> | null): number => record?.row.sign_outs ?? 0

const signedOut = () =>
  refuse('invalid_token', 'the user was signed out everywhere meanwhile', { hint: 'Sign in again.' })

/**
 * Asked about what was just written for a user, in the store itself: either the sweep of an end finds what was written,
 * or this finds the end. Errors: `permission_denied` (blocked).
 */
export async function holdUnblocked({ store }: Pick<AccessServices, 'store'>, userId: string) {
  const record = await store.get(users, userId)
  if (record) return unblocked(record)
  if (await store.get(removedUsers, removedId(userId))) throw new BlockedRefusal(userId)
  return null
}

/** Whether a user is blocked, or was removed. */
export const isShutOut = (services: Pick<AccessServices, 'store'>, userId: string): Promise<boolean> =>
  holdUnblocked(services, userId).then(
    () => false,
    (error: unknown) => {
      if (error instanceof BlockedRefusal) return true
      throw error
    },
  )

/** As `holdUnblocked`, for what a sign-out ends too. `before`: how many there had been. Errors: `invalid_token` too. */
export async function holdSignedIn(services: Pick<AccessServices, 'store'>, userId: string, before: number) {
  if (signOutsOf(await holdUnblocked(services, userId)) > before) throw signedOut()
}

/** Asks the same of the copy that the host has, for what is begun and hears of the end from then on. */
export async function askSignedIn(
  { copies }: Pick<AccessServices, 'copies'>,
  userId: string,
  before: number,
) {
  const record = await copies.users.get(userId)
  if (!record || signOutsOf(unblocked(record)) > before) throw signedOut()
}
