import { refuse } from '@svc/contract'
import type { MiddlewareHandler } from 'hono'
import { askSignedIn, signOutsOf } from '../../../access/users/admitted.ts'
import { webHead } from '../fetch-front.ts'
import { askAfterBody } from './body.ts'
import type { RouteEnv, RouteParts } from './env.ts'
import { holdBody, onLeave, routeHead } from './rated.ts'

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** Lets only a listed `Origin` change anything. */
export function fromPage({ guard, house }: Pick<RouteParts, 'guard' | 'house'>): MiddlewareHandler<RouteEnv> {
  return async (c, next) => {
    const foreign = READS.has(c.req.method) ? null : guard.origin(webHead(c.req.raw))
    if (foreign) {
      house.limiter.holdFrom('refused', routeHead(c))
      throw foreign
    }
    await next()
  }
}

/** Lets only a signed-in user through, and says who it is. Errors: `invalid_token`. */
export function signedIn({
  house,
  signIn,
  bodies,
}: Pick<RouteParts, 'house' | 'signIn' | 'bodies'>): MiddlewareHandler<RouteEnv> {
  const { limiter } = house
  return async (c, next) => {
    const head = routeHead(c)
    limiter.holdUnspent('refused', head)
    const userId = await signIn.userOf(head)
    if (userId === null) {
      limiter.holdFrom('refused', head)
      throw refuse('invalid_token', 'the sign-in is missing, expired or unknown', { hint: 'Sign in again.' })
    }
    onLeave(c, house.underWay.enter({ userId }, () => c.req.raw.signal).leave)
    limiter.hold(c.get('rate') ?? 'route', userId)
    c.set('userId', userId)
    const before = signOutsOf(await house.copies.users.get(userId))
    const ask = () => askSignedIn(house, userId, before)
    const turn = holdBody(c, bodies, userId)
    if (turn) await turn.then(ask)
    askAfterBody(c.req.raw, ask)
    await next()
  }
}
