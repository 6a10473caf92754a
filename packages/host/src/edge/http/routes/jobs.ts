import { explain, methods, refuse } from '@svc/contract'
import { routes as table } from '@svc/contract/routes'
import type { Hono } from 'hono'
import { json, jsonText } from './answer.ts'
import { readShape } from './body.ts'
import type { RouteContext, RouteEnv, RouteParts } from './env.ts'

const { body: cancelling } = table['page.cancelJob']
const wanted = methods.tools.listJobs.args.pick({ limit: true, state: true })

/** Listing and cancelling the user's jobs over all apps: for the page alone. */
export function jobRoutes(routes: Hono<RouteEnv>, { house }: RouteParts): void {
  const { jobs } = house
  routes.get('/jobs', async (c) => jsonText(await jobs.list({ userId: c.get('userId') }, queryOf(c))))
  routes.post('/jobs/:job/cancel', async (c) => {
    const { reason } = await readShape(c.req.raw, house, cancelling)
    return json(await jobs.ofUser.cancel(c.get('userId'), c.req.param('job'), reason))
  })
}

/** `?limit=50&state=queued,running`. Errors: `invalid_arg`. */
function queryOf(c: RouteContext) {
  const { limit, state } = c.req.query()
  const query = {
    ...(limit !== undefined && { limit: /^\d+$/.test(limit) ? Number(limit) : limit }),
    ...(state !== undefined && { state: state.split(',') }),
  }
  const parsed = wanted.safeParse(query)
  if (!parsed.success) throw refuse('invalid_arg', explain(parsed.error, query))
  return parsed.data
}
