import type { Hono } from 'hono'
import { serveFile } from '../../../data/uploads/serve.ts'
import { paths } from '../../../kernel/request/paths.ts'
import { servePieces } from '../serve-pieces.ts'
import type { RouteContext, RouteEnv, RouteParts } from './env.ts'

/** Uploads and images: public, under a name that nobody guesses. */
export function fileRoutes(routes: Hono<RouteEnv>, { house }: RouteParts): void {
  const answer = async (c: RouteContext) =>
    servePieces(c.req.raw, await serveFile(house, c.req.param('file') ?? ''), house.limits)
  routes.on(['GET', 'HEAD'], `${paths.files}:file`, answer)
}
