import { SIGN_IN_COOKIE, wrongArg } from '@svc/contract'
import type { Hono } from 'hono'
import { signOutsOf } from '../../../access/users/sign-in.ts'
import { OPERATOR } from '../../../catalog/records.ts'
import { addressOf } from '../../../kernel/request/head.ts'
import { webHead } from '../fetch-front.ts'
import { START_QUERY } from '../start-token.ts'
import { json, refusalResponse } from './answer.ts'
import type { RouteEnv, RouteParts } from './env.ts'
import type { HandlersOf } from './mount.ts'
import { checkPageOrigin } from './signed-in.ts'

/** Signing in under any name, who it is, and signing out. */
export function signInHandlers({
  services,
  guard,
  signIn,
  startToken,
}: RouteParts): HandlersOf<'signIn.dev' | 'signIn.who' | 'signIn.out'> {
  const { audit, limits, settings, tokens, users } = services
  const isDev = settings.signIn === 'dev'
  const cookieOf = (token: string, seconds: number) =>
    `${SIGN_IN_COOKIE}=${token}; Max-Age=${seconds}; HttpOnly; SameSite=Lax; Path=${settings.basePath || '/'}`

  /** The development sign-in: for whoever has the start token. */
  const dev: HandlersOf<'signIn.dev'>['signIn.dev'] = async ({ raw, head, body }) => {
    checkPageOrigin({ guard, services }, head)
    const refused = startToken.judge(webHead(raw))
    if (refused) throw refused
    const { user } = await body()
    if (user === OPERATOR)
      throw wrongArg('user', `must not be ${OPERATOR}, which owns the configured apps, got "${OPERATOR}"`)
    const sign_outs = signOutsOf(await users.ensure(user))
    audit.note('user.sign_in', user, 'ok', addressOf(head))
    const token = await tokens.mint('signIn', { user_id: user, sign_outs }, limits.SIGN_IN_TTL_MS)
    const seconds = Math.floor(limits.SIGN_IN_TTL_MS / 1_000)
    return json({ user_id: user }, 200, { 'set-cookie': cookieOf(token, seconds) })
  }

  return {
    'signIn.dev': isDev ? dev : null,
    'signIn.who': async ({ head }) => ({ user_id: await signIn.userOf(head) }),
    async 'signIn.out'({ userId, body }) {
      const { everywhere } = await body()
      if (everywhere) await users.signOut(userId, true)
      else audit.note('user.sign_out', userId, 'ok', { method: 'here' })
      return json({}, 200, isDev ? { 'set-cookie': cookieOf('', 0) } : {})
    },
  }
}

/** Trades the start token in the address of a page for a cookie, and leads to the same address without it. */
export function startRoute(routes: Hono<RouteEnv>, { services, startToken }: RouteParts): void {
  if (services.settings.signIn !== 'dev') return
  routes.use('*', async (c, next) => {
    if (c.req.method !== 'GET') return next()
    const url = new URL(c.req.url)
    const token = url.searchParams.get(START_QUERY)
    if (token === null || c.req.path.startsWith('/api/')) return next()
    const cookie = startToken.cookieFor(token)
    const refused = startToken.judge(webHead(c.req.raw))
    if (cookie === null && refused !== null) return refusalResponse(refused)
    url.searchParams.delete(START_QUERY)
    // Relative: a proxy may have stripped the base path.
    const location = `./${url.pathname.slice(url.pathname.lastIndexOf('/') + 1)}${url.search}`
    const headers = new Headers({ location, 'cache-control': 'no-store' })
    if (cookie !== null) headers.set('set-cookie', cookie)
    return new Response(null, { status: 303, headers })
  })
}
