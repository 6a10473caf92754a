import { routes as table } from '@svc/contract/routes'
import type { Hono } from 'hono'
import { noSuchApp } from '../../apps/parts.ts'
import { json } from './answer.ts'
import { readShape } from './body.ts'
import { readPush } from './draft.ts'
import type { RouteEnv, RouteParts } from './env.ts'

const { body: registration } = table['apps.register']
const { body: release } = table['apps.release']

/** Registering apps, pushing drafts, releasing them (design §9). */
export function appRoutes(routes: Hono<RouteEnv>, { house }: RouteParts): void {
  const { apps, limits } = house
  routes.post('/apps', async (c) =>
    json(await apps.register(c.get('userId'), await readShape(c.req.raw, limits, registration))),
  )
  routes.put('/apps/:app/draft', async (c) => {
    const appId = c.req.param('app')
    const app = await apps.app(appId)
    // Judged before the body: a stranger's 64 MiB are not read.
    if (app?.row.owner !== c.get('userId')) throw noSuchApp(appId)
    return json(await apps.pushDraft(c.get('userId'), appId, await readPush(c.req.raw, limits)))
  })
  routes.post('/apps/:app/releases', async (c) => {
    const { version } = await readShape(c.req.raw, limits, release)
    return json(await apps.release(c.get('userId'), c.req.param('app'), version))
  })
}
