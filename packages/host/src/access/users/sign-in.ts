import { createHash } from 'node:crypto'
import { cookieAt, Refusal, refuse, SIGN_IN_COOKIE } from '@svc/contract'
import { collection, type StoreRecord } from '@svc/state'
import type { Copies } from '../../catalog/copies.ts'
import { OPERATOR, type UserRow, users } from '../../catalog/records.ts'
import type { Limiter } from '../../kernel/limiter/limiter.ts'
import { addressOf, cookieOf, type Head } from '../../kernel/request/head.ts'
import { attempt, type MaybePromise, when } from '../../kernel/when.ts'
import type { Audit } from '../audit/audit.ts'

import type { AccessServices } from '../services.ts'
import type { PageTokenReader } from '../tokens/page-tokens.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { OpenUsers } from './users.ts'

/** That a user was removed: his id lets nobody in again. It is known by its digest, so that nothing names him. */
export const removedUsers = collection({
  name: 'removed_users',
  row: {} as { readonly removed_at: number },
  indexes: {},
})

/** The id of that record. */
export const removedId = (userId: string): string =>
  createHash('sha256').update(`svc removed user ${userId}`).digest('base64url')

/** The refusal of a user who is blocked, which knows who it is about: for the audit log, and for no response. */
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
 * Checks a user in the store itself, after something was written for him: either the sweep that ends his access finds
 * what was written, or this check finds that it ended. Errors: `permission_denied` (blocked).
 */
export async function checkUnblocked({ store }: Pick<AccessServices, 'store'>, userId: string) {
  const record = await store.get(users, userId)
  if (record) return unblocked(record)
  if (await store.get(removedUsers, removedId(userId))) throw new BlockedRefusal(userId)
  return null
}

/** Whether a user is blocked, or was removed. */
export const isShutOut = (services: Pick<AccessServices, 'store'>, userId: string): Promise<boolean> =>
  checkUnblocked(services, userId).then(
    () => false,
    (error: unknown) => {
      if (error instanceof BlockedRefusal) return true
      throw error
    },
  )

/** As `checkUnblocked`, for what a sign-out ends too. `before`: how many there had been. Errors: `invalid_token` too. */
export async function checkSignedIn(services: Pick<AccessServices, 'store'>, userId: string, before: number) {
  if (signOutsOf(await checkUnblocked(services, userId)) > before) throw signedOut()
}

/** The same check by the host's copy of the row, for what is open already and is notified when the access ends. */
export async function checkSignedInCopy(
  { copies }: Pick<AccessServices, 'copies'>,
  userId: string,
  before: number,
) {
  const record = await copies.users.get(userId)
  if (!record || signOutsOf(unblocked(record)) > before) throw signedOut()
}

/** What tells a sign-in from the others of its user: a digest of its cookie; `null`: it is one of the embedder. */
export function signInKey(head: Head): string | null {
  const text = cookieOf(head.get('cookie'), cookieAt(SIGN_IN_COOKIE, head.get('host')))
  return text === undefined ? null : createHash('sha256').update(text).digest('base64url')
}

/** Who sent a request. */
export interface SignedIn {
  /** The id of the user, the same at each sign-in. */
  readonly id: string
  /** When he signed in, Unix ms; a sign-in from before he was signed out everywhere is then refused. */
  readonly at?: number
}

/**
 * An operator's own sign-in: who sent this request, or `null`. The id `operator` is the owner of configured
 * apps and signs nobody in.
 */
export type Authenticate = (request: Request) => SignedIn | null | Promise<SignedIn | null>

/** Opens the sign-in: the operator's `authenticate` where there is one, else the cookie of the development sign-in. */
export function openSignIn(services: {
  tokens: Tokens
  users: OpenUsers
  copies: Pick<Copies, 'users'>
  audit: Audit
  limiter: Limiter
  authenticate: Authenticate | undefined
  /** Reads the tokens that backends of pages make, and refuses an `Origin` that is not a page. */
  pages?: PageTokenReader | null
}) {
  const { audit, copies, limiter, tokens, users, authenticate, pages } = services
  const admit = (id: string, signOuts: number) =>
    when(users.admit(id, signOuts), (isAdmitted) => (isAdmitted ? id : null))

  async function known(head: Head, user: SignedIn | null): Promise<string | null> {
    if (user === null || user.id === OPERATOR) return null
    const isNew = (await copies.users.get(user.id)) === null
    const { row } = await users.ensure(user.id)
    if (isNew) audit.note('user.sign_in', user.id, 'ok', addressOf(head))
    // Who does not say when he signed in is signed in as long as the embedder says so.
    const isVoid = user.at !== undefined && user.at <= (row.signed_out_at ?? 0)
    return isVoid ? null : user.id
  }

  /**
   * Whom a token of the page names; `undefined`: it is none. One that is over is nobody's: a cookie beside it may be another
   * user's. No site can have another browser send such a token; a page that is not listed has no use for one all the same.
   */
  async function byPage(head: Head, { read, judge }: PageTokenReader): Promise<string | null | undefined> {
    const user = await read(head.get('authorization'))
    if (user === undefined) return user
    const misplaced = user && head.get('origin') !== undefined ? judge(head) : null
    if (!misplaced) return known(head, user)
    limiter.consumeFrom('refused', head)
    throw misplaced
  }

  const byOthers = (head: Head): MaybePromise<string | null> =>
    authenticate ? byEmbedder(head, authenticate) : byCookie(head)

  const byEmbedder = async (head: Head, ask: Authenticate) => known(head, await ask(head.request()))

  function byCookie(head: Head): MaybePromise<string | null> {
    const text = cookieOf(head.get('cookie'), cookieAt(SIGN_IN_COOKIE, head.get('host')))
    if (text === undefined) return null
    return when(tokens.verify('signIn', text), (claims) =>
      claims ? admit(claims.user_id, claims.sign_outs ?? 0) : null,
    )
  }

  return {
    /**
     * When what a head shows is refused, Unix ms, whatever is open with it; `undefined`: it is no token of a page. One that is
     * refused by now is over since ever.
     */
    async endOf(head: Head): Promise<number | undefined> {
      const page = await pages?.read(head.get('authorization'))
      return page === null ? 0 : page?.until
    },
    /**
     * The id of a user that exists, or `null`; a known cookie is answered without a promise. Errors: `permission_denied`
     * (blocked), which is counted here as a refused request of its address.
     */
    userOf: (head: Head) =>
      attempt(
        () =>
          pages && head.get('authorization') !== undefined
            ? byPage(head, pages).then((userId) => (userId === undefined ? byOthers(head) : userId))
            : byOthers(head),
        (error) => {
          if (error instanceof BlockedRefusal) limiter.consumeFrom('refused', head)
          throw error
        },
      ),
  }
}

/** Reads who is signed in. */
export type SignIn = ReturnType<typeof openSignIn>
