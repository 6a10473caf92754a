import { explain, refuse } from '@svc/contract'
import { routes as table } from '@svc/contract/routes'
import type { Hono } from 'hono'
import { webHead } from '../fetch-front.ts'
import { json } from './answer.ts'
import { readJson, readShape } from './body.ts'
import type { RouteEnv, RouteParts } from './env.ts'

const { body: opening } = table['windows.open']
const { body: agreeing } = table['windows.agree']
const { query: closing } = table['windows.close']

/** Opening, listing, renewing and closing windows. */
export function windowRoutes(routes: Hono<RouteEnv>, { house, guard }: RouteParts): void {
  const { apps, windows } = house
  routes.post('/windows', async (c) => {
    const { app_id, view, payload } = await readShape(c.req.raw, house, opening)
    const request = { app_id, ...(view !== undefined && { view }), ...(payload !== undefined && { payload }) }
    const opened = await windows.open(c.get('userId'), request)
    return json({ ...opened, entry_url: guard.entryUrl(webHead(c.req.raw), app_id, opened.entry_url) })
  })
  routes.get('/windows', async (c) => {
    const head = webHead(c.req.raw)
    const listed = await windows.list(c.get('userId'))
    return json({
      windows: listed.map((one) => ({
        ...one,
        entry_url: guard.entryUrl(head, one.app_id, one.entry_url),
      })),
    })
  })
  routes.post('/windows/:uuid/token', async (c) => {
    await readJson(c.req.raw, house)
    return json(await windows.token(c.get('userId'), c.req.param('uuid')))
  })
  routes.post('/windows/:uuid/plugs', async (c) => {
    const answer = await readShape(c.req.raw, house, agreeing)
    await apps.agree(c.get('userId'), c.req.param('uuid'), answer)
    return json({})
  })
  routes.delete('/windows/:uuid', async (c) => {
    const query = c.req.query()
    const parsed = closing.safeParse(query)
    if (!parsed.success) throw refuse('invalid_arg', explain(parsed.error, query))
    await windows.close(c.get('userId'), c.req.param('uuid'), parsed.data.reason ?? null)
    return json({})
  })
}
