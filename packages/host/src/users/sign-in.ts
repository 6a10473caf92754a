import { SIGN_IN_COOKIE } from '@svc/contract'
import { OPERATOR } from '../apps/parts.ts'
import type { Head } from '../http/head.ts'
import type { Copies } from '../store/copies.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { when } from '../when.ts'
import type { Users } from './users.ts'

/**
 * An operator's own sign-in: who sent this request, or `null`. The id `operator` is the owner of configured
 * apps and signs nobody in.
 */
export type Authenticate = (
  request: Request,
) => { readonly id: string } | null | Promise<{ readonly id: string } | null>

/** Reads who is signed in. */
export interface SignIn {
  /** The id of a user that exists, or `null`; a known cookie is answered without a promise. */
  userOf(head: Head): string | null | Promise<string | null>
}

/** Opens the sign-in: the operator's `authenticate` where there is one, else the cookie of the development sign-in. */
export function openSignIn(house: {
  tokens: Tokens
  users: Users
  copies: Copies
  authenticate: Authenticate | undefined
}): SignIn {
  const { tokens, users, copies, authenticate } = house
  const known = (id: string) => when(copies.users.get(id), (user) => (user ? id : null))

  if (authenticate)
    return {
      async userOf(head) {
        const user = await authenticate(head.request())
        if (user === null || user.id === OPERATOR) return null
        await users.ensure(user.id)
        return user.id
      },
    }
  return {
    userOf(head) {
      const text = cookie(head.get('cookie'), SIGN_IN_COOKIE)
      if (text === undefined) return null
      return when(tokens.verify('signIn', text), (claims) => (claims ? known(claims.user_id) : null))
    },
  }
}

/** The value of the first cookie of that name. */
function cookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined
  const mark = `${name}=`
  if (header.startsWith(mark) && !header.includes(';')) return header.slice(mark.length)
  const pair = header.split(';').find((part) => part.trimStart().startsWith(mark))
  return pair?.trimStart().slice(mark.length).trimEnd()
}
