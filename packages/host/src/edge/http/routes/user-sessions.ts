import { methods } from '@svc/contract'
import type { Hono } from 'hono'
import { json } from './answer.ts'
import type { RouteContext, RouteEnv, RouteParts } from './env.ts'
import { queryArgs } from './query-args.ts'
import { readArgs } from './read-args.ts'

const wanted = methods.agent['session.list']

/** Listing and ending the user's agent sessions over all apps: for the page alone. */
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
  const { limit, include_expired } = readArgs(wanted, queryArgs(c))
  return { limit, includeExpired: include_expired }
}
