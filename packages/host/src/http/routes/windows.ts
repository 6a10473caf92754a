import { routes as table } from '@svc/contract/routes'
import type { Hono } from 'hono'
import { json } from './answer.ts'
import { readJson, readShape } from './body.ts'
import type { RouteEnv, RouteParts } from './env.ts'

const { body: opening } = table['windows.open']

/** Opening, listing, renewing and closing windows (design §9). */
export function windowRoutes(routes: Hono<RouteEnv>, { house }: RouteParts): void {
  const { limits, windows } = house
  routes.post('/windows', async (c) => {
    const { app_id, view, payload } = await readShape(c.req.raw, limits, opening)
    const request = { app_id, ...(view !== undefined && { view }), ...(payload !== undefined && { payload }) }
    return json(await windows.open(c.get('userId'), request))
  })
  routes.get('/windows', async (c) => json({ windows: await windows.list(c.get('userId')) }))
  routes.post('/windows/:uuid/token', async (c) => {
    await readJson(c.req.raw, limits)
    return json(await windows.token(c.get('userId'), c.req.param('uuid')))
  })
  routes.delete('/windows/:uuid', async (c) => {
    await windows.close(c.get('userId'), c.req.param('uuid'), null)
    return json({})
  })
}
