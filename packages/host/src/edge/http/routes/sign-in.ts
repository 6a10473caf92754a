import { cookieAt, SIGN_IN_COOKIE, wrongArg } from '@svc/contract'
import { START_PROOF_SCHEME } from '@svc/node'
import type { Hono } from 'hono'
import { signInKey, signOutsOf } from '../../../access/users/sign-in.ts'
import { OPERATOR } from '../../../catalog/records.ts'
import { addressOf, type Head } from '../../../kernel/request/head.ts'
import { webHead } from '../fetch-front.ts'
import { START_QUERY } from '../start-token.ts'
import { json, refusalResponse } from './answer.ts'
import type { Connection, RouteEnv, RouteParts } from './env.ts'
import type { HandlersOf } from './mount.ts'
import { checkPageOrigin } from './signed-in.ts'

/** Signing in under any name, who it is, and signing out. */
export function signInHandlers({
  services,
  guard,
  signIn,
  startToken,
}: RouteParts): HandlersOf<'signIn.dev' | 'signIn.prove' | 'signIn.who' | 'signIn.out'> {
  const { audit, limits, settings, tokens, users } = services
  const isDev = settings.signIn === 'dev'
  const site = settings.partitionedCookies ? 'SameSite=None; Secure; Partitioned' : 'SameSite=Lax'
  const cookieOf = (head: Head, token: string, seconds: number) =>
    `${cookieAt(SIGN_IN_COOKIE, head.get('host'))}=${token}; Max-Age=${seconds}; HttpOnly; ${site}; Path=${settings.basePath || '/'}`

  /** The development sign-in: for whoever has the start token. */
  const dev: HandlersOf<'signIn.dev'>['signIn.dev'] = async ({ raw, head, body, context }) => {
    checkPageOrigin({ guard, services }, head)
    // Who shows nothing is refused before the body is read.
    const isProven = head.get('authorization')?.startsWith(START_PROOF_SCHEME)
    const early = isProven ? null : startToken.judge(webHead(raw))
    if (early) throw early
    const { user } = await body()
    const port = (context.env as Connection | undefined)?.incoming?.socket.localPort
    const refused = startToken.judgeSignIn(webHead(raw), user, port)
    if (refused) throw refused
    if (user === OPERATOR)
      throw wrongArg('user', `must not be ${OPERATOR}, which owns the configured apps, got "${OPERATOR}"`)
    const sign_outs = signOutsOf(await users.ensure(user))
    audit.note('user.sign_in', user, 'ok', addressOf(head))
    const token = await tokens.mint(
      'signIn',
      { user_id: user, sign_outs, jti: services.newId('nonce') },
      limits.SIGN_IN_TTL_MS,
    )
    const seconds = Math.floor(limits.SIGN_IN_TTL_MS / 1_000)
    return json({ user_id: user }, 200, { 'set-cookie': cookieOf(head, token, seconds) })
  }

  return {
    'signIn.dev': isDev ? dev : null,
    'signIn.prove': isDev
      ? async ({ raw, head, body }) => {
          checkPageOrigin({ guard, services }, head)
          return startToken.prove(webHead(raw), (await body()).nonce)
        }
      : null,
    'signIn.who': async ({ head }) => ({ user_id: await signIn.userOf(head) }),
    async 'signIn.out'({ userId, head, body }) {
      const { everywhere } = await body()
      if (everywhere) await users.signOut(userId, true)
      else audit.note('user.sign_out', userId, 'ok', { method: 'here' })
      const key = isDev && !everywhere ? signInKey(head) : null
      if (key !== null) await users.leave(userId, key)
      return json({}, 200, isDev ? { 'set-cookie': cookieOf(head, '', 0) } : {})
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
    const head = webHead(c.req.raw)
    const cookie = startToken.cookieFor(token, head)
    const refused = startToken.judge(head)
    if (cookie === null && refused !== null) return refusalResponse(refused)
    url.searchParams.delete(START_QUERY)
    // Relative: a proxy may have stripped the base path.
    const location = `./${url.pathname.slice(url.pathname.lastIndexOf('/') + 1)}${url.search}`
    const headers = new Headers({ location, 'cache-control': 'no-store' })
    if (cookie !== null) headers.set('set-cookie', cookie)
    return new Response(null, { status: 303, headers })
  })
}
