import { SIGN_IN_COOKIE } from '@svc/contract'
import { routes as table } from '@svc/contract/routes'
import type { Hono } from 'hono'
import { OPERATOR } from '../../apps/parts.ts'
import { json } from './answer.ts'
import { readShape } from './body.ts'
import type { RouteEnv, RouteParts } from './env.ts'
import { fromPage } from './signed-in.ts'

const { body, path } = table['signIn.dev']
const login = body.extend({
  user: body.shape.user.refine(
    (user) => user !== OPERATOR,
    `must not be ${OPERATOR}, which owns the configured apps`,
  ),
})

/** The development sign-in (design §9): anybody by name; absent where the host has none. */
export function devLoginRoute(routes: Hono<RouteEnv>, { house, guard }: RouteParts): void {
  if (house.settings.signIn !== 'dev') return
  const { limits, tokens, users } = house
  routes.post(path, fromPage({ guard }), async (c) => {
    const { user } = await readShape(c.req.raw, limits, login)
    await users.ensure(user)
    const token = await tokens.mint('signIn', { user_id: user }, limits.SIGN_IN_TTL_MS)
    const age = Math.floor(limits.SIGN_IN_TTL_MS / 1_000)
    const response = json({ user_id: user })
    response.headers.set(
      'set-cookie',
      `${SIGN_IN_COOKIE}=${token}; Max-Age=${age}; HttpOnly; SameSite=Lax; Path=/`,
    )
    return response
  })
}
