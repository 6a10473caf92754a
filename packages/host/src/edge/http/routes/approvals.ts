import { routes as table } from '@svc/contract/routes'
import type { Hono } from 'hono'
import { json } from './answer.ts'
import { readShape } from './body.ts'
import type { RouteEnv, RouteParts } from './env.ts'

const { body: answering } = table['approvals.answer']

/** The user's word on calls of destructive tools: for the page alone. */
export function approvalRoutes(routes: Hono<RouteEnv>, { house }: RouteParts): void {
  routes.post('/approvals/:approval', async (c) => {
    const { answer } = await readShape(c.req.raw, house, answering)
    await house.approvals.answer(c.get('userId'), c.req.param('approval'), answer)
    return json({})
  })
  routes.delete('/apps/:app/approvals', async (c) => {
    await house.approvals.takeBack(c.get('userId'), c.req.param('app'))
    return json({})
  })
}
