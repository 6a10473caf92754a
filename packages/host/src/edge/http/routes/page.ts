import { digestInTurns } from '@svc/state'
import type { Hono } from 'hono'
import { bundleFeatures } from '../../../apps/bundle-policy.ts'
import { madePieces } from '../../../data/app-files/pieces.ts'
import { localPath, paths } from '../../../kernel/request/paths.ts'
import { webHead } from '../fetch-front.ts'
import { servePieces } from '../serve-pieces.ts'
import type { RouteEnv, RouteParts } from './env.ts'

/** A file of the shell page. */
export interface PageFile {
  /** The bytes. */
  readonly bytes: Uint8Array
  /** Their media type. */
  readonly type: string
}

/** Serves the page at `/` and its files by their paths. */
export type PageFiles = (path: string) => PageFile | null | Promise<PageFile | null>

/** A year, in seconds. */
const HSTS = 'max-age=31536000'

/** What the page may load: its own files, and bundles in frames and nothing else there; it asks for one that does not come. */
const policy = (bundles: string, reports: string) =>
  [
    "default-src 'self'",
    "img-src 'self' data: blob:",
    "style-src 'self' 'unsafe-inline'",
    `frame-src ${bundles}`,
    `connect-src 'self' ${bundles}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    `report-uri ${reports}`,
  ].join('; ')

/** The files of the page that the operator serves at `/`; what it does not have is left to the next route. */
export function pageRoutes(routes: Hono<RouteEnv>, { services, guard, page }: RouteParts): void {
  if (!page) return
  const { basePath } = services.settings
  routes.on(['GET', 'HEAD'], '*', async (c, next) => {
    const { pathname, search } = new URL(c.req.url)
    // Its files are named relative to it, which needs the slash.
    if (basePath !== '' && pathname === basePath) return c.redirect(`${basePath}/${search}`, 308)
    const path = localPath(basePath, pathname)
    const file = path.startsWith('/api/') ? null : await page(path)
    if (!file) return next()
    const head = webHead(c.req.raw)
    const places = [guard.bundles(head), ...guard.also(head)]
    const bundles = places.map((one) => one + basePath + paths.bundles).join(' ')
    const etag = `"${await digestInTurns(file.bytes)}"`
    const served = {
      status: 200,
      body: { ...madePieces(file.bytes), etag },
      headers: {
        'content-type': file.type,
        'content-security-policy': policy(bundles, basePath + paths.reports),
        // Over https: crashes, interventions and what is deprecated. What the policy refuses goes by report-uri.
        'reporting-endpoints': `default="${basePath}${paths.reports}"`,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': bundleFeatures,
        ...(guard.own(head).startsWith('https:') && { 'strict-transport-security': HSTS }),
        'cache-control': 'no-cache',
      },
    }
    return servePieces(c.req.raw, served, services.limits)
  })
}
