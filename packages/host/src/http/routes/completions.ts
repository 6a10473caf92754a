import type { ErrorBody } from '@svc/contract'
import type { Hono } from 'hono'
import { isTicket, type Reply } from '../../rpc/door.ts'
import { webHead } from '../fetch-front.ts'
import { json, sessionRefusal } from './answer.ts'
import { readJson } from './body.ts'
import type { RouteEnv, RouteParts } from './env.ts'

/**
 * `llm.complete` as a route of its own (spec §4.3): the window token and the cookie admit it, the body is the
 * arguments, the answer the result. It is the same call: door, desk and handler judge it, and it counts as in flight.
 */
export function completionRoutes(routes: Hono<RouteEnv>, { house, door }: RouteParts): void {
  routes.post('/complete', async (c) => {
    const request = c.req.raw
    const admission = await door.admit(webHead(request))
    if (!isTicket(admission)) return unwrapped(admission)
    const args = await readJson(request, house.limits, admission.maxBytes)
    const call = { id: 'complete', window_uuid: admission.claims.wid, ns: 'llm', method: 'complete', args }
    return unwrapped(await door.answer(admission, Buffer.from(JSON.stringify(call)), () => request.signal))
  })
}

/** The result or the error that an envelope carries. */
function unwrapped(reply: Reply): Response {
  if (!('text' in reply)) throw new Error('one call was answered as a batch')
  const envelope: { readonly result?: unknown; readonly error?: ErrorBody } = JSON.parse(reply.text)
  return envelope.error ? sessionRefusal(envelope.error, reply.status) : json(envelope.result)
}
