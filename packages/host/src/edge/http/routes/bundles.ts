import type { Hono } from 'hono'
import { bundleFile } from '../../../apps/bundle-file.ts'
import { localPath } from '../../../kernel/request/base-path.ts'
import { paths } from '../../../kernel/request/paths.ts'
import { readBundleAddress } from '../../../windows/bundle-url.ts'
import { webHead } from '../fetch-front.ts'
import { servePieces } from '../serve-pieces.ts'
import type { RouteContext, RouteEnv, RouteParts } from './env.ts'

/** Bundle files: public, by digest; their documents for windows alone. */
export function bundleRoutes(routes: Hono<RouteEnv>, { house, guard }: RouteParts): void {
  const answer = async (c: RouteContext) => {
    const head = webHead(c.req.raw)
    const { pathname, searchParams } = new URL(c.req.url)
    const rest = localPath(house.settings.basePath, pathname).slice(paths.bundles.length)
    const { digest, name, ...ticketed } = readBundleAddress(rest, searchParams)
    const at = {
      ...ticketed,
      origin: guard.own(head),
      pages: guard.pages(head),
      label: guard.label(head),
      mode: head.get('sec-fetch-mode') ?? null,
    }
    return servePieces(c.req.raw, await bundleFile(house, digest, name, at), house.limits)
  }
  routes.on(['GET', 'HEAD'], `${paths.bundles}*`, answer)
}
