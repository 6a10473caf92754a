import { routes as table } from '@svc/contract/routes'
import type { Hono } from 'hono'
import { json } from './answer.ts'
import type { RouteEnv, RouteParts } from './env.ts'
import { routeHead } from './rated.ts'

/** Says who is signed in, so that a page can ask without a request that fails. */
export function whoRoute(routes: Hono<RouteEnv>, { signIn }: Pick<RouteParts, 'signIn'>): void {
  routes.get(table['signIn.who'].path, async (c) => json({ user_id: await signIn.userOf(routeHead(c)) }))
}
