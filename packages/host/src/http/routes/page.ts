import type { Hono } from 'hono'
import { webHead } from '../fetch-front.ts'
import { paths } from '../paths.ts'
import type { RouteEnv, RouteParts } from './env.ts'

/** What the page may load: its own files, and bundles in frames and nothing else there (design §8). */
const policy = (bundles: string) =>
  [
    "default-src 'self'",
    "img-src 'self' data: blob:",
    "style-src 'self' 'unsafe-inline'",
    `frame-src ${bundles}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The files of the page that the operator serves at `/`; what it does not have is left to the next route. */
export function pageRoutes(routes: Hono<RouteEnv>, { house, guard, page }: RouteParts): void {
  if (!page) return
  routes.on(['GET', 'HEAD'], '*', async (c, next) => {
    const { pathname } = new URL(c.req.url)
    const file = pathname.startsWith('/api/') ? null : await page(pathname)
    if (!file) return next()
    const bundles = `${house.settings.bundleOrigin ?? guard.own(webHead(c.req.raw))}${paths.bundles}`
    return new Response(c.req.method === 'HEAD' ? null : Buffer.from(file.bytes), {
      headers: {
        'content-type': file.type,
        'content-length': String(file.bytes.length),
        'content-security-policy': policy(bundles),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-cache',
      },
    })
  })
}
