import type { Hono } from 'hono'
import { serveFile } from '../../uploads/serve.ts'
import { paths } from '../paths.ts'
import type { RouteContext, RouteEnv, RouteParts } from './env.ts'

/** Uploads and images (design §9): public, under a name that nobody guesses. */
export function fileRoutes(routes: Hono<RouteEnv>, { house }: RouteParts): void {
  const answer = async (c: RouteContext) => {
    const { status, headers, body } = await serveFile(house, c.req.param('file') ?? '')
    return new Response(c.req.method === 'HEAD' ? null : Buffer.from(body), { status, headers })
  }
  routes.on(['GET', 'HEAD'], `${paths.files}:file`, answer)
}
