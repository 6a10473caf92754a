import { SIGN_IN_COOKIE } from '@svc/contract'
import type { Copies } from '../../catalog/copies.ts'
import { OPERATOR } from '../../catalog/records.ts'
import type { Limiter } from '../../kernel/limiter/limiter.ts'
import { cookieOf } from '../../kernel/request/cookie-of.ts'
import type { Head } from '../../kernel/request/head.ts'
import { attempt, type MaybePromise, when } from '../../kernel/when.ts'
import type { Audit } from '../audit/audit.ts'
import { addressOf } from '../audit/denied.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { BlockedRefusal } from './admitted.ts'
import type { OpenUsers } from './users.ts'

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

/** Reads who is signed in. */
export interface SignIn {
  /**
   * The id of a user that exists, or `null`; a known cookie is answered without a promise. Errors: `permission_denied`
   * (blocked), which is counted here as a refused request of its address.
   */
  userOf(head: Head): MaybePromise<string | null>
}

/** Opens the sign-in: the operator's `authenticate` where there is one, else the cookie of the development sign-in. */
export function openSignIn(services: {
  tokens: Tokens
  users: OpenUsers
  copies: Pick<Copies, 'users'>
  audit: Audit
  limiter: Limiter
  authenticate: Authenticate | undefined
}): SignIn {
  const { audit, copies, limiter, tokens, users, authenticate } = services
  const admit = (id: string, signOuts: number) =>
    when(users.admit(id, signOuts), (isAdmitted) => (isAdmitted ? id : null))

  async function byEmbedder(head: Head, ask: Authenticate): Promise<string | null> {
    const user = await ask(head.request())
    if (user === null || user.id === OPERATOR) return null
    const isNew = (await copies.users.get(user.id)) === null
    const { row } = await users.ensure(user.id)
    if (isNew) audit.note('user.sign_in', user.id, 'ok', addressOf(head))
    // Who does not say when he signed in is signed in as long as the embedder says so.
    const isVoid = user.at !== undefined && user.at <= (row.signed_out_at ?? 0)
    return isVoid ? null : user.id
  }

  function byCookie(head: Head): MaybePromise<string | null> {
    const text = cookieOf(head.get('cookie'), SIGN_IN_COOKIE)
    if (text === undefined) return null
    return when(tokens.verify('signIn', text), (claims) =>
      claims ? admit(claims.user_id, claims.sign_outs ?? 0) : null,
    )
  }

  return {
    userOf: (head) =>
      attempt(
        () => (authenticate ? byEmbedder(head, authenticate) : byCookie(head)),
        (error) => {
          if (error instanceof BlockedRefusal) limiter.holdFrom('refused', head)
          throw error
        },
      ),
  }
}
