import { refuse } from '@svc/contract'
import type { MiddlewareHandler } from 'hono'
import { hasBearerToken } from '../../../kernel/request/head.ts'
import type { RouteEnv, RouteParts } from './env.ts'
import { routeHead } from './rated.ts'

/**
 * Lets only who shows the operator's token through: no cookie counts, and no address. Tries are counted by address.
 * Errors: `permission_denied`.
 */
export function byOperator({
  services: { limiter },
  operatorToken,
}: Pick<RouteParts, 'services' | 'operatorToken'>): MiddlewareHandler<RouteEnv> {
  return async (c, next) => {
    const head = routeHead(c)
    limiter.checkUnspent('refused', head)
    if (!hasBearerToken(head.get('authorization'), operatorToken)) {
      limiter.consumeFrom('refused', head)
      throw refuse('permission_denied', "this route needs the operator's token as Bearer", {
        denied_by: 'operator',
        hint: 'Set createHost({ operatorToken }) and send it as Authorization: Bearer.',
      })
    }
    await next()
  }
}
