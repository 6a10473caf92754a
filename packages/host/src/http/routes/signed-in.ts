import { refuse } from '@svc/contract'
import type { MiddlewareHandler } from 'hono'
import { webHead } from '../fetch-front.ts'
import type { RouteEnv, RouteParts } from './env.ts'

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** Lets only a listed `Origin` change anything (design §8). */
export function fromPage({ guard }: Pick<RouteParts, 'guard'>): MiddlewareHandler<RouteEnv> {
  return async (c, next) => {
    const foreign = READS.has(c.req.method) ? null : guard.origin(webHead(c.req.raw))
    if (foreign) throw foreign
    await next()
  }
}

/** Lets only a signed-in user through, and says who it is. Errors: `invalid_token`. */
export function signedIn({ signIn }: Pick<RouteParts, 'signIn'>): MiddlewareHandler<RouteEnv> {
  return async (c, next) => {
    const userId = await signIn.userOf(webHead(c.req.raw))
    if (userId === null)
      throw refuse('invalid_token', 'the sign-in is missing, expired or unknown', { hint: 'Sign in again.' })
    c.set('userId', userId)
    await next()
  }
}
