import { SIGN_IN_COOKIE } from '@svc/contract'
import { routes as table } from '@svc/contract/routes'
import type { Hono } from 'hono'
import { addressOf } from '../../../access/audit/denied.ts'
import { signOutsOf } from '../../../access/users/admitted.ts'
import { OPERATOR } from '../../../catalog/records.ts'
import { webHead } from '../fetch-front.ts'
import { json } from './answer.ts'
import { readShape } from './body.ts'
import type { RouteEnv, RouteParts } from './env.ts'
import { routeHead } from './rated.ts'
import { fromPage } from './signed-in.ts'

const { body, path } = table['signIn.dev']
const login = body.extend({
  user: body.shape.user.refine(
    (user) => user !== OPERATOR,
    `must not be ${OPERATOR}, which owns the configured apps`,
  ),
})

/** The development sign-in: under any name, for whoever has the start token; absent where the host has none. */
export function devLoginRoute(routes: Hono<RouteEnv>, parts: RouteParts): void {
  const { house, startToken } = parts
  if (house.settings.signIn !== 'dev') return
  const { audit, limits, tokens, users } = house
  routes.post(path, fromPage(parts), async (c) => {
    const refused = startToken.judge(webHead(c.req.raw))
    if (refused) throw refused
    const { user } = await readShape(c.req.raw, house, login)
    const sign_outs = signOutsOf(await users.ensure(user))
    audit.note('user.sign_in', user, 'ok', addressOf(routeHead(c)))
    const token = await tokens.mint('signIn', { user_id: user, sign_outs }, limits.SIGN_IN_TTL_MS)
    const age = Math.floor(limits.SIGN_IN_TTL_MS / 1_000)
    const response = json({ user_id: user })
    response.headers.set(
      'set-cookie',
      `${SIGN_IN_COOKIE}=${token}; Max-Age=${age}; HttpOnly; SameSite=Lax; Path=${house.settings.basePath || '/'}`,
    )
    return response
  })
}
