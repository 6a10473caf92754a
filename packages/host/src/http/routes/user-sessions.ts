import { explain, methods, refuse } from '@svc/contract'
import type { Hono } from 'hono'
import { json } from './answer.ts'
import type { RouteContext, RouteEnv, RouteParts } from './env.ts'

const wanted = methods.agent['session.list'].args
const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

/** Listing and ending the user's agent sessions over all apps: for the page alone (design §9). */
export function userSessionRoutes(routes: Hono<RouteEnv>, { house }: RouteParts): void {
  const { ofUser } = house.sessions
  routes.get('/sessions', async (c) => json({ sessions: await ofUser.list(c.get('userId'), queryOf(c)) }))
  routes.delete('/sessions/:uuid', async (c) => {
    await ofUser.end(c.get('userId'), c.req.param('uuid'))
    return json({ deleted: true })
  })
}

/** `?limit=50&include_expired=true`; the limit is moved into its range. Errors: `invalid_arg`. */
function queryOf(c: RouteContext) {
  const { limit, include_expired } = c.req.query()
  const query = {
    ...(limit !== undefined && { limit: /^\d+$/.test(limit) ? Number(limit) : limit }),
    ...(include_expired !== undefined && {
      include_expired: booleans.get(include_expired) ?? include_expired,
    }),
  }
  const parsed = wanted.safeParse(query)
  if (!parsed.success) throw refuse('invalid_arg', explain(parsed.error, query))
  return { limit: parsed.data.limit, includeExpired: parsed.data.include_expired }
}
