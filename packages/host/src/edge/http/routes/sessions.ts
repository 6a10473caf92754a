import { methods } from '@svc/contract'
import type { Hono } from 'hono'
import { installId } from '../../../catalog/records.ts'
import type { Head } from '../../../kernel/request/head.ts'
import { noSuchSession } from '../../../work/sessions/parts.ts'
import { sessionLife } from '../../../work/sessions/view.ts'
import type { Guard } from '../../guard.ts'
import { json } from './answer.ts'
import { asCall } from './as-call.ts'
import { readJson } from './body.ts'
import type { RouteContext, RouteEnv, RouteParts } from './env.ts'
import { queryArgs } from './query-args.ts'
import { routeHead } from './rated.ts'
import { readArgs } from './read-args.ts'
import { fromPage, signedIn } from './signed-in.ts'

const { agent } = methods

/**
 * The session routes that a page may use: create and list are calls of a window; refresh and delete go by the
 * cookie of the user and the uuid. A session token is answered here and nowhere else.
 */
export function sessionRoutes(routes: Hono<RouteEnv>, parts: RouteParts): void {
  const { house, door, guard } = parts
  const { copies, sessions } = house
  const page = [fromPage(parts), signedIn(parts)] as const

  routes.post('/sessions', async (c) => {
    const { raw } = c.req
    const args = (maxBytes: number) => readJson(raw, house, maxBytes)
    const call = { ns: 'agent', method: 'session.create', args }
    const told = await asCall(door, routeHead(c), call, raw.signal)
    if ('failure' in told) return told.failure
    const { result, claims } = told
    const owner = { userId: claims.user_id, appId: claims.app_id }
    const record = await sessions.active(owner, String(result.app_session_uuid))
    const { token, expiresIn } = await sessions.token(record)
    return json({ ...result, expires_in: expiresIn, app_session_token: token })
  })

  routes.get('/sessions', async (c) => {
    const { raw } = c.req
    const call = { ns: 'agent', method: 'session.list', args: () => queryArgs(c) }
    const told = await asCall(door, readHead(routeHead(c), guard), call, raw.signal)
    return 'failure' in told ? told.failure : json(told.result)
  })

  routes.post('/sessions/:uuid/refresh', ...page, async (c) => {
    await readJson(c.req.raw, house)
    const owner = { userId: c.get('userId') }
    const uuid = uuidOf(c)
    const found = await sessions.find(owner, uuid)
    const install = found && (await copies.installs.get(installId(owner.userId, found.row.app_id)))
    if (!install) throw noSuchSession()
    const record = await sessions.touch(owner, uuid)
    const { token, expiresIn } = await sessions.token(record)
    return json({ ...sessionLife(house, record), expires_in: expiresIn, app_session_token: token })
  })

  routes.delete('/sessions/:uuid', ...page, async (c) => {
    await sessions.revoke({ userId: c.get('userId') }, uuidOf(c))
    return json({ deleted: true })
  })
}

const uuidOf = (c: RouteContext): string =>
  readArgs(agent['session.refresh'], { app_session_uuid: c.req.param('uuid') }).app_session_uuid

/** The head of a GET, which a browser sends without an `Origin` and which has no body, as the door judges calls. */
const readHead = (head: Head, guard: Guard): Head => {
  const own = new Map([
    ['origin', guard.own(head)],
    ['content-type', 'application/json'],
    ['content-length', '0'],
  ])
  return { ...head, get: (name) => own.get(name) ?? head.get(name) }
}
