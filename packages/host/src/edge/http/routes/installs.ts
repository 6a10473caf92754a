import { routes as table } from '@svc/contract/routes'
import type { Hono } from 'hono'
import { json } from './answer.ts'
import { readShape } from './body.ts'
import type { RouteEnv, RouteParts } from './env.ts'

const { body: install } = table['installs.install']

/** Installing, listing and uninstalling apps; grants are written only here. */
export function installRoutes(routes: Hono<RouteEnv>, { house }: RouteParts): void {
  const { apps } = house
  routes.post('/installs', async (c) =>
    json(await apps.install(c.get('userId'), await readShape(c.req.raw, house, install))),
  )
  routes.get('/installs', async (c) => json({ installs: await apps.installs(c.get('userId')) }))
  routes.delete('/installs/:install', async (c) => {
    await apps.uninstall(c.get('userId'), c.req.param('install'))
    return json({})
  })
}
