import { SIGN_IN_COOKIE } from '@svc/contract'
import { routes as table } from '@svc/contract/routes'
import type { Hono } from 'hono'
import { json } from './answer.ts'
import { readShape } from './body.ts'
import type { RouteEnv, RouteParts } from './env.ts'
import { fromPage, signedIn } from './signed-in.ts'

const { body, path } = table['signIn.out']

/** Signs the user out: the cookie of the development sign-in goes, and everywhere what his sign-ins opened. */
export function signOutRoute(routes: Hono<RouteEnv>, parts: RouteParts): void {
  const { audit, settings, users } = parts.house
  routes.post(path, fromPage(parts), signedIn(parts), async (c) => {
    const { everywhere } = await readShape(c.req.raw, parts.house, body)
    const userId = c.get('userId')
    if (everywhere) await users.signOut(userId, true)
    else audit.note('user.sign_out', userId, 'ok', { method: 'here' })
    const cookie = `${SIGN_IN_COOKIE}=; Max-Age=0; HttpOnly; SameSite=Lax; Path=${settings.basePath || '/'}`
    return json({}, 200, settings.signIn === 'dev' ? { 'set-cookie': cookie } : {})
  })
}
