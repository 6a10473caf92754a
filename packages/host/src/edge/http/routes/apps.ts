import { refuse } from '@svc/contract'
import { routes as table } from '@svc/contract/routes'
import type { Hono } from 'hono'
import { noSuchApp } from '../../../apps/parts.ts'
import { openTurns } from '../../rpc/turns.ts'
import { json } from './answer.ts'
import { readShape } from './body.ts'
import { readPush } from './draft.ts'
import type { RouteEnv, RouteParts } from './env.ts'

const { body: registration } = table['apps.register']
const { body: release } = table['apps.release']

/** Registering apps, pushing drafts, releasing them, deleting both. */
export function appRoutes(routes: Hono<RouteEnv>, { house, longBodies }: RouteParts): void {
  const { apps } = house
  /** One push of a user at a time. */
  const turns = openTurns()
  routes.post('/apps', async (c) =>
    json(await apps.register(c.get('userId'), await readShape(c.req.raw, house, registration))),
  )
  routes.put('/apps/:app/draft', async (c) => {
    const appId = c.req.param('app')
    const app = await apps.app(appId)
    // Judged before the body: a stranger's 64 MiB are not read.
    if (app?.row.owner !== c.get('userId')) throw noSuchApp(appId)
    const userId = c.get('userId')
    const { signal } = c.req.raw
    // The body of the next one waits unread.
    const push = async () => {
      const pushed = await readPush(c.req.raw, { house, longBodies, userId })
      return json(await apps.pushDraft(userId, appId, pushed))
    }
    return turns.take(userId, signal, push).catch((error: unknown) => {
      throw signal.aborted ? refuse('cancelled', 'the push did not come to its end') : error
    })
  })
  routes.post('/apps/:app/releases', async (c) => {
    const { version } = await readShape(c.req.raw, house, release)
    return json(await apps.release(c.get('userId'), c.req.param('app'), version))
  })
  routes.delete('/apps/:app', async (c) => {
    await apps.remove(c.get('userId'), c.req.param('app'))
    return json({})
  })
  routes.delete('/apps/:app/releases/:version', async (c) => {
    await apps.removeRelease(c.get('userId'), c.req.param('app'), c.req.param('version'))
    return json({})
  })
}
