import type { Hono } from 'hono'
import { json } from './answer.ts'
import { asCall } from './as-call.ts'
import { readJson } from './body.ts'
import type { RouteEnv, RouteParts } from './env.ts'
import { routeHead } from './rated.ts'

/** `llm.complete` as a route of its own: the body is the arguments, the answer the result. */
export function completionRoutes(routes: Hono<RouteEnv>, { house, door }: RouteParts): void {
  routes.post('/complete', async (c) => {
    const request = c.req.raw
    const args = (maxBytes: number) => readJson(request, house, maxBytes)
    const told = await asCall(door, routeHead(c), { ns: 'llm', method: 'complete', args }, request.signal)
    return 'failure' in told ? told.failure : json(told.result)
  })
}
