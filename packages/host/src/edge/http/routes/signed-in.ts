import { refuse } from '@svc/contract'
import type { MiddlewareHandler } from 'hono'
import { checkSignedInCopy, signOutsOf } from '../../../access/users/sign-in.ts'
import type { Head } from '../../../kernel/request/head.ts'
import { askAfterBody } from './body.ts'
import type { RouteEnv, RouteParts } from './env.ts'
import { onLeave, reserveBody, routeHead } from './rated.ts'

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

type PageParts = Pick<RouteParts, 'guard' | 'services'>

/** Refuses what does not come from a listed `Origin`. Errors: `permission_denied`. */
export function checkPageOrigin({ guard, services }: PageParts, head: Head): void {
  const foreign = guard.origin(head)
  if (!foreign) return
  services.limiter.consumeFrom('refused', head)
  throw foreign
}

/** Lets only a listed `Origin` change anything. */
export const fromPage =
  (parts: PageParts): MiddlewareHandler<RouteEnv> =>
  async (c, next) => {
    if (!READS.has(c.req.method)) checkPageOrigin(parts, routeHead(c))
    await next()
  }

/** Lets only a signed-in user through, and says who it is. Errors: `invalid_token`. */
export function signedIn({
  services,
  signIn,
  bodies,
}: Pick<RouteParts, 'services' | 'signIn' | 'bodies'>): MiddlewareHandler<RouteEnv> {
  const { limiter } = services
  return async (c, next) => {
    const head = routeHead(c)
    limiter.checkUnspent('refused', head)
    const userId = await signIn.userOf(head)
    if (userId === null) {
      limiter.consumeFrom('refused', head)
      throw refuse('invalid_token', 'the sign-in is missing, expired or unknown', { hint: 'Sign in again.' })
    }
    onLeave(c, services.underWay.enter({ userId }, () => c.req.raw.signal).leave)
    limiter.consume(c.get('rate') ?? 'route', userId)
    c.set('userId', userId)
    const before = signOutsOf(await services.copies.users.get(userId))
    const ask = () => checkSignedInCopy(services, userId, before)
    const turn = reserveBody(c, bodies, userId)
    if (turn) await turn.then(ask)
    askAfterBody(c.req.raw, ask)
    await next()
  }
}
