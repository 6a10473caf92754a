import type { Hono } from 'hono'
import { webHead } from '../fetch-front.ts'
import { START_QUERY } from '../start-token.ts'
import { refusalResponse } from './answer.ts'
import type { RouteEnv, RouteParts } from './env.ts'

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
