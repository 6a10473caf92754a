import type { Hono } from 'hono'
import { bundleFile } from '../../apps/bundle-file.ts'
import { TICKET_QUERY } from '../../apps/bundle-url.ts'
import { localPath } from '../base-path.ts'
import { webHead } from '../fetch-front.ts'
import { paths } from '../paths.ts'
import { servePieces } from '../serve-pieces.ts'
import type { RouteContext, RouteEnv, RouteParts } from './env.ts'

/** Bundle files: public, by digest; their documents for windows alone. */
export function bundleRoutes(routes: Hono<RouteEnv>, { house, guard }: RouteParts): void {
  const answer = async (c: RouteContext) => {
    const head = webHead(c.req.raw)
    const path = localPath(house.settings.basePath, new URL(c.req.url).pathname)
    const rest = path.slice(paths.bundles.length)
    const slash = rest.indexOf('/')
    const [folder, name] = slash === -1 ? [rest, ''] : [rest.slice(0, slash), rest.slice(slash + 1)]
    const [digest = '', inPath] = folder.split('~')
    const at = {
      origin: guard.own(head),
      pages: guard.pages(head),
      label: guard.label(head),
      ticket: inPath ?? c.req.query(TICKET_QUERY) ?? null,
      ticketInPath: inPath !== undefined,
      mode: head.get('sec-fetch-mode') ?? null,
    }
    return servePieces(c.req.raw, await bundleFile(house, digest, name, at), house.limits)
  }
  routes.on(['GET', 'HEAD'], `${paths.bundles}*`, answer)
}
