import { type Publisher, refuse } from '@svc/contract'
import { type StoreRecord, update } from '@svc/state'
import { OPERATOR, type UserRow, users } from '../../catalog/records.ts'
import { type MaybePromise, when } from '../../kernel/when.ts'
import type { AccessServices } from '../services.ts'
import { verifyPublisher, withdrawPublisher } from './publishers.ts'
import { BLOCKED, BlockedRefusal, removedId, removedUsers, signOutsOf, unblocked } from './sign-in.ts'

/** One line of an export: a record, or a piece of the bytes of the record before it. */
export interface DataLine {
  /** The name of the collection; of bytes, that and `.bytes`. */
  readonly kind: string
  /** The id of the record. */
  readonly id: string
  readonly [field: string]: unknown
}

/** What is done with all that a user has, by the layers that keep it. */
export interface UserData {
  /**
   * Closes his windows and ends his sessions with their runs; with `jobs` his jobs too. `reason` is sent to his pages.
   */
  end(userId: string, reason: string, and: { readonly jobs: boolean }): Promise<void>
  /** Cancels his jobs of an app, ends its sessions, and waits for what is under way of it. */
  endInstall(userId: string, appId: string): Promise<void>
  /** Ends what is under way of him, and drops every row of his with its bytes. */
  erase(userId: string): Promise<void>
  /** All that is kept of him, a record or a piece of its bytes at a time. */
  export(userId: string): AsyncIterable<DataLine>
}

/** What became of a user: all that is his ends (`blocked`), or all that a sign-in opened (`signed_out`). */
export interface UserEnd {
  readonly user_id: string
  readonly how: 'blocked' | 'signed_out'
  /** The one sign-in that ended, by its key, where the others of the user go on. */
  readonly sign_in?: string
}

/** The people who have signed in. */
export interface Users {
  /**
   * Returns the user's record; it is made at first sight, because the sign-in vouches for the id. Errors:
   * `permission_denied` (blocked); here and below `invalid_arg` for `operator`, which is not a user.
   */
  ensure(id: string): Promise<{ readonly id: string }>
  /**
   * Shuts a user out until `unblock`: his windows, sessions, jobs, streams, sockets and the links of his machines end at
   * once, here and at other hosts, and every request of his is refused. What he made stays. One who was never seen is
   * blocked too.
   */
  block(id: string): Promise<void>
  /** Lets a user in again who was blocked or removed; says whether he was. */
  unblock(id: string): Promise<boolean>
  /**
   * Ends every sign-in of a user before now, with his windows, sessions, streams and sockets. His jobs and machines
   * continue. With `authenticate` the sign-ins themselves end where it says `at`; else they are the embedder's to end.
   * `isOwn`: the user asked for it himself, whose act it then is.
   */
  signOut(id: string, isOwn?: boolean): Promise<void>
  /**
   * Verifies the name of a user as a publisher, in place of the one before: it is shown wherever the author of a plugin
   * is. Errors: `invalid_arg`, `not_found`, `conflict` (another has that name, or one that looks like it).
   */
  verifyPublisher(id: string, name: string): Promise<Publisher>
  /** Removes the verified name of a publisher; says whether there was one. */
  withdrawPublisher(id: string): Promise<boolean>
  /** Removes a user: as `block`, and his record goes, with a verified name. Says whether there was one. */
  remove(id: string): Promise<boolean>
  /**
   * Deletes a user with all that was his: as `remove`, and every record of his with its bytes, his apps and plugins for
   * everybody too. Twice is harmless, and what was interrupted is finished by calling it again.
   */
  erase(id: string): Promise<void>
  /** All that is kept of a user, a record or a piece of its bytes at a time. Ask for the next one when there is room. */
  export(id: string): AsyncIterable<DataLine>
}

/** Users as the layers of a host know them. */
export interface OpenUsers extends Users {
  /** The same, with all of the record. */
  ensure(id: string): Promise<StoreRecord<UserRow>>
  /** Whether a sign-in is good that was made after so many sign-outs everywhere. Errors: `permission_denied` (blocked). */
  admit(id: string, signOuts: number): MaybePromise<boolean>
  /** The record of a user who may act; `null`: there is none, or he is blocked. */
  active(id: string): Promise<StoreRecord<UserRow> | null>
  /** Ends what one sign-in of a user has open, by its key (`signInKey`): its sockets with their calls, and its streams. */
  leave(id: string, signIn: string): Promise<void>
  /** Calls a listener for each user whose access ends, at this host or another. */
  onEnd(listener: (end: UserEnd) => void): void
  /** Stops listening to other hosts. */
  close(): Promise<void>
}

const TOPIC = 'users'
const SIGNED_OUT = 'the user signed out everywhere'

/** Opens the users of a host; `data` is what the layers above keep of them. */
export function openUsers(
  services: Pick<AccessServices, 'bus' | 'clock' | 'copies' | 'limits' | 'log' | 'store'>,
  data: UserData,
): OpenUsers {
  const { bus, clock, copies, log, store } = services
  const listeners: ((end: UserEnd) => void)[] = []
  const onEndMessage = (end: UserEnd) => {
    copies.users.drop(end.user_id)
    for (const listener of listeners) listener(end)
  }
  const listening = bus.subscribe(TOPIC, (text) => onEndMessage(JSON.parse(text)))
  listening.catch((err: unknown) =>
    log.warn({ err }, 'the events of other hosts about users cannot be received'),
  )

  /** Changes the row of a user; where there is none, `first` is written, or nothing without it. */
  async function change(id: string, next: (row: UserRow) => UserRow, first?: UserRow): Promise<void> {
    await update(store, users, id, (row) => (row ? next(row) : (first ?? null)))
    copies.users.drop(id)
  }

  async function tell(news: UserEnd): Promise<void> {
    onEndMessage(news)
    // They refuse him in any case once their copies of his row run out.
    await bus.publish(TOPIC, JSON.stringify(news)).catch((err: unknown) => {
      log.error({ err }, 'the other hosts could not be notified that the access of a user has ended')
    })
  }

  async function end(id: string, how: UserEnd['how']): Promise<void> {
    await tell({ user_id: id, how })
    const reason = how === 'blocked' ? BLOCKED : SIGNED_OUT
    await data.end(id, reason, { jobs: how === 'blocked' })
  }

  async function block(id: string): Promise<void> {
    checkUserId(id)
    const blocked_at = clock.now()
    await change(id, (row) => ({ blocked_at, ...row }), { created_at: blocked_at, blocked_at })
    await end(id, 'blocked')
  }

  /** Shuts a user out for good: his next request makes no new user of him. */
  async function shutOut(id: string): Promise<void> {
    checkUserId(id)
    await store.insert(removedUsers, removedId(id), { removed_at: clock.now() })
    await block(id)
  }

  return {
    async ensure(id) {
      checkUserId(id)
      const known = await copies.users.get(id)
      if (known) return unblocked(known)
      const record = await makeUser(services, id, { created_at: clock.now() })
      copies.users.drop(id, record)
      return unblocked(record)
    },
    block,
    async unblock(id) {
      const record = await store.get(users, id)
      const isBlocked = record?.row.blocked_at !== undefined
      if (isBlocked) await change(id, ({ blocked_at: _, ...row }) => row)
      const removed = await store.get(removedUsers, removedId(id))
      return (
        (removed !== null && (await store.remove(removedUsers, removed.id, removed.revision))) || isBlocked
      )
    },
    async signOut(id) {
      checkUserId(id)
      const now = clock.now()
      // One who was never seen may have sign-ins of the embedder. A row of one who was removed would let him in again.
      await makeUser(services, id, { created_at: now }).catch((error: unknown) => {
        if (!(error instanceof BlockedRefusal)) throw error
      })
      await change(id, (row) => ({
        ...row,
        signed_out_at: Math.max(now, (row.signed_out_at ?? 0) + 1),
        sign_outs: (row.sign_outs ?? 0) + 1,
      }))
      await end(id, 'signed_out')
    },
    leave: (id, sign_in) => tell({ user_id: id, how: 'signed_out', sign_in }),
    verifyPublisher: (id, name) => verifyPublisher(services, id, name),
    withdrawPublisher: (id) => withdrawPublisher(services, id),
    async remove(id) {
      checkUserId(id)
      const known = await store.get(users, id)
      if (!known) return false
      await shutOut(id)
      await withdrawPublisher(services, id)
      for (let record = await store.get(users, id); record; record = await store.get(users, id))
        await store.remove(users, id, record.revision)
      copies.users.drop(id)
      return true
    },
    async erase(id) {
      await shutOut(id)
      await data.erase(id)
    },
    export: (id) => data.export(id),
    admit: (id, signOuts) =>
      when(copies.users.get(id), (record) => record !== null && signOuts >= signOutsOf(unblocked(record))),
    async active(id) {
      const record = await copies.users.get(id)
      return record?.row.blocked_at === undefined ? record : null
    },
    onEnd: (listener) => void listeners.push(listener),
    async close() {
      const stop = await listening.catch(() => undefined)
      stop?.()
    },
  }
}

/** Refuses the id under which nobody signs in. Errors: `invalid_arg`. */
export function checkUserId(id: string): void {
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
    throw new Error('the store refused a user without naming a cap')
  }
  if (!(await isRemoved())) return inserted.record
  await store.remove(users, id, inserted.record.revision)
  throw new BlockedRefusal(id)
}
