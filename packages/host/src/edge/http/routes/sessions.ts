import { methods, refuse } from '@svc/contract'
import { installId } from '../../../catalog/records.ts'
import type { Head } from '../../../kernel/request/head.ts'
import { fromSampling } from '../../../work/sampling/from-sampling.ts'
import { noSuchSession } from '../../../work/sessions/own-session.ts'
import { sessionLife } from '../../../work/sessions/view.ts'
import type { Guard } from '../../guard.ts'
import { json } from './answer.ts'
import { asCall } from './as-call.ts'
import { readJson } from './body.ts'
import type { RouteParts } from './env.ts'
import type { HandlersOf } from './mount.ts'
import { queryArgs, readArgs } from './query.ts'

const { agent } = methods

/**
 * The session routes that a page may use: create, list and completion are calls of a window; refresh and delete go by
 * the cookie of the user and the uuid. A session token is answered here and nowhere else.
 */
export function sessionHandlers({
  services,
  gateway,
  guard,
}: RouteParts): HandlersOf<
  'sessions.complete' | 'sessions.create' | 'sessions.list' | 'sessions.refresh' | 'sessions.delete'
> {
  const { copies, sessions } = services
  const bodyOf = (raw: Request) => (maxBytes: number) => readJson(raw, services, maxBytes)
  return {
    async 'sessions.complete'({ raw, head }) {
      const call = { ns: 'llm', method: 'complete', args: bodyOf(raw) }
      const told = await asCall(gateway, head, call, raw.signal)
      return 'failure' in told ? told.failure : json(told.result)
    },
    async 'sessions.create'({ raw, head }) {
      const call = { ns: 'agent', method: 'session.create', args: bodyOf(raw) }
      const told = await asCall(gateway, head, call, raw.signal)
      if ('failure' in told) return told.failure
      const { result, claims } = told
      const owner = { userId: claims.user_id, appId: claims.app_id }
      const record = await sessions.active(owner, String(result.app_session_uuid))
      const { token, expiresIn } = await sessions.token(record)
      return json({ ...result, expires_in: expiresIn, app_session_token: token })
    },
    async 'sessions.list'({ raw, head, context }) {
      const call = { ns: 'agent', method: 'session.list', args: () => queryArgs(context.req.query()) }
      const told = await asCall(gateway, readHead(head, guard), call, raw.signal)
      return 'failure' in told ? told.failure : json(told.result)
    },
    async 'sessions.refresh'({ userId, params, body }) {
      await body()
      const owner = { userId }
      const uuid = readUuid(params)
      const found = await sessions.find(owner, uuid)
      const install = found && (await copies.installs.get(installId(userId, found.row.app_id)))
      if (!install) throw noSuchSession()
      const record = await sessions.touch(owner, uuid)
      const { token, expiresIn } = await sessions.token(record)
      return { ...sessionLife(services, record), expires_in: expiresIn, app_session_token: token }
    },
    async 'sessions.delete'({ userId, params }) {
      await sessions.revoke({ userId }, readUuid(params))
      return { deleted: true }
    },
  }
}

const readUuid = (params: { readonly app_session_uuid: string }): string =>
  readArgs(agent['session.refresh'], params).app_session_uuid

/** The head of a GET, which a browser sends without an `Origin` and which has no body, as the gateway judges calls. */
const readHead = (head: Head, guard: Guard): Head => {
  const own = new Map([
    ['origin', guard.own(head)],
    ['content-type', 'application/json'],
    ['content-length', '0'],
  ])
  return { ...head, get: (name) => own.get(name) ?? head.get(name) }
}

/**
 * A session for the plugin of a call under way: the sampling token of that call is the only authority, so
 * there is no cookie and no `Origin` to judge. The session's own token stays here.
 */
export const samplingHandlers = ({ services }: RouteParts): HandlersOf<'sessions.fromSampling'> => ({
  async 'sessions.fromSampling'({ json }) {
    const { sampling_token, ...order } = await json()
    if (typeof sampling_token !== 'string') throw refuse('invalid_token', 'sampling_token must be text')
    return fromSampling(services, sampling_token, order)
  },
})
