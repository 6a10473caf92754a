import { routes as table } from '@svc/contract/routes'
import type { Hono } from 'hono'
import { json } from './answer.ts'
import { readShape } from './body.ts'
import type { RouteEnv, RouteParts } from './env.ts'

const { body: enrolling } = table['runners.enrol']

/** Enrolling, listing and revoking the machines of a user; their links come in by `runner-sockets.ts`. */
export function runnerRoutes(routes: Hono<RouteEnv>, { house }: RouteParts): void {
  const { runners } = house
  routes.post('/runners', async (c) =>
    json(await runners.enrol(c.get('userId'), await readShape(c.req.raw, house, enrolling))),
  )
  routes.get('/runners', async (c) => json({ runners: await runners.list(c.get('userId')) }))
  routes.delete('/runners/:runner', async (c) => {
    await runners.revoke(c.get('userId'), c.req.param('runner'))
    return json({})
  })
}
