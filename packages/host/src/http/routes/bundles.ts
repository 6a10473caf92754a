import type { Hono } from 'hono'
import { bundleFile } from '../../apps/bundle-file.ts'
import { webHead } from '../fetch-front.ts'
import { paths } from '../paths.ts'
import type { RouteContext, RouteEnv, RouteParts } from './env.ts'

/** Bundle files (design §8, §9): public, by digest. */
export function bundleRoutes(routes: Hono<RouteEnv>, { house, guard }: RouteParts): void {
  const answer = async (c: RouteContext) => {
    const head = webHead(c.req.raw)
    const { pathname } = new URL(c.req.url)
    const rest = pathname.slice(paths.bundles.length)
    const slash = rest.indexOf('/')
    const [digest, path] = slash === -1 ? [rest, ''] : [rest.slice(0, slash), rest.slice(slash + 1)]
    const at = { origin: guard.own(head), pages: guard.pages(head) }
    const { status, headers, body } = await bundleFile(house, digest, path, at)
    return new Response(c.req.method === 'HEAD' ? null : Buffer.from(body), { status, headers })
  }
  routes.on(['GET', 'HEAD'], `${paths.bundles}*`, answer)
}
