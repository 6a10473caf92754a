import { explain, refuse } from '@svc/contract'
import { routes as table } from '@svc/contract/routes'
import type { Hono, MiddlewareHandler } from 'hono'
import { showsToken } from '../../../kernel/request/shows-token.ts'
import { jsonLines } from '../json-lines.ts'
import { json } from './answer.ts'
import { readShape } from './body.ts'
import type { RouteContext, RouteEnv, RouteParts } from './env.ts'
import { queryArgs } from './query-args.ts'
import { routeHead } from './rated.ts'

const { path: auditPath, query: reading } = table['admin.audit']
const { body: naming } = table['admin.verify_publisher']

const USERS = '/api/v1/svc-apps/admin/users'

/** What the operator does with a host, by his token alone: no cookie counts, and no address. */
export function adminRoutes(routes: Hono<RouteEnv>, parts: RouteParts): void {
  const { audit, log, users } = parts.house
  const userOf = (c: RouteContext) => c.req.param('user') ?? ''
  routes.use('/api/v1/svc-apps/admin/*', byOperator(parts))
  routes.get(auditPath, async (c) => {
    // A user may have an id of digits.
    const { user } = c.req.query()
    const query = { ...queryArgs(c), ...(user !== undefined && { user }) }
    const parsed = reading.safeParse(query)
    if (!parsed.success) throw refuse('invalid_arg', explain(parsed.error, query))
    return json(await audit.read(parsed.data))
  })
  routes.put(`${USERS}/:user/publisher`, async (c) => {
    const { name } = await readShape(c.req.raw, parts.house, naming)
    return json(await users.verifyPublisher(userOf(c), name))
  })
  routes.delete(`${USERS}/:user/publisher`, async (c) => {
    if (await users.withdrawPublisher(userOf(c))) return json({})
    throw refuse('not_found', 'this user has no verified name')
  })
  routes.post(`${USERS}/:user/block`, async (c) => {
    await users.block(userOf(c))
    return json({})
  })
  routes.post(`${USERS}/:user/unblock`, async (c) => {
    if (!(await users.unblock(userOf(c)))) throw refuse('not_found', 'this user is not blocked')
    return json({})
  })
  routes.delete(`${USERS}/:user`, async (c) => {
    await users.erase(userOf(c))
    return json({})
  })
  routes.get(`${USERS}/:user/data`, (c) => jsonLines(users.export(userOf(c)), log))
  routes.post(`${USERS}/:user/sign-out`, async (c) => {
    await users.signOut(userOf(c))
    return json({})
  })
}

/** Lets only who shows the operator's token through; tries are counted by address. Errors: `permission_denied`. */
function byOperator({ house, operatorToken }: RouteParts): MiddlewareHandler<RouteEnv> {
  const { limiter } = house
  return async (c, next) => {
    const head = routeHead(c)
    limiter.holdUnspent('refused', head)
    if (!showsToken(head.get('authorization'), operatorToken)) {
      limiter.holdFrom('refused', head)
      throw refuse('permission_denied', "this route needs the operator's token as Bearer", {
        denied_by: 'operator',
        hint: 'Set createHost({ operatorToken }) and send it as Authorization: Bearer.',
      })
    }
    await next()
  }
}
