import { refuse } from '@svc/contract'
import { routes as table } from '@svc/contract/routes'
import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { noteDenied } from '../../../access/audit/audit.ts'
import { hostClosing } from '../../../kernel/leaving.ts'
import { loggedRefusal } from '../../../kernel/refusal-of.ts'
import { localPath, paths } from '../../../kernel/request/paths.ts'
import type { Services } from '../../services.ts'
import { webHead } from '../fetch-front.ts'
import { adminHandlers } from './admin.ts'
import { refusalResponse, sessionRefusalResponse } from './answer.ts'
import { appHandlers, installHandlers } from './apps.ts'
import type { RouteDeps, RouteEnv } from './env.ts'
import { fileHandlers, forAnyOrigin } from './files.ts'
import { healthHandlers } from './health.ts'
import { approvalHandlers, jobHandlers, runnerHandlers, userSessionHandlers } from './manage.ts'
import { openMethodsAt, wrongMethod } from './methods-at.ts'
import { mountRoutes, type RouteHandlers } from './mount.ts'
import { pageRoutes } from './page.ts'
import { plugHandlers } from './plugs.ts'
import { rated, routeHead, rowOf, slowRefusals } from './rated.ts'
import { reportHandlers } from './reports.ts'
import { sessionRunHandlers } from './session-runs.ts'
import { samplingHandlers, sessionHandlers } from './sessions.ts'
import { signInHandlers, startRoute } from './sign-in.ts'
import { windowHandlers } from './windows.ts'

/** What a closing host still answers: whoever watches it asks for these. */
const health: ReadonlySet<string> = new Set([
  table['health.live'].path,
  table['health.ready'].path,
  table['health.metrics'].path,
])

/** Makes every route that is not hot. Every request's `Host` is judged first. */
export function createRoutes(services: Services, deps: RouteDeps): Hono<RouteEnv> {
  const parts = { ...deps, services }
  const { basePath } = services.settings
  const routes = new Hono<RouteEnv>({ getPath: (request) => localPath(basePath, getPath(request)) })
  routes.use('*', slowRefusals(services))
  routes.use('*', async (c, next) => {
    if (services.leaving.isClosed && !health.has(c.req.path)) throw hostClosing()
    await next()
  })
  routes.use('*', async (c, next) => {
    const misplaced = deps.guard.host(webHead(c.req.raw))
    if (misplaced) {
      services.limiter.consumeFrom('refused', routeHead(c))
      throw misplaced
    }
    await next()
  })
  routes.use('*', rated(parts))
  routes.onError((error, c) => {
    const found = rowOf(c)
    const answer = found?.row.failure === 'session' ? sessionRefusalResponse : refusalResponse
    noteDenied(services.audit, error, {
      head: routeHead(c),
      userId: c.get('userId'),
      method: found?.name ?? c.req.method,
    })
    const refusal = loggedRefusal(services.log, error, 'a route failed')
    c.set('isRateLimited', refusal.code === 'rate_limited')
    return answer(refusal)
  })
  routes.use(`${paths.uploads}*`, forAnyOrigin)
  const handlers: RouteHandlers = {
    ...signInHandlers(parts),
    ...healthHandlers(parts),
    ...reportHandlers(parts),
    ...appHandlers(parts),
    ...installHandlers(parts),
    ...windowHandlers(parts),
    ...approvalHandlers(parts),
    ...jobHandlers(parts),
    ...sessionHandlers(parts),
    ...sessionRunHandlers(parts),
    ...samplingHandlers(parts),
    ...userSessionHandlers(parts),
    ...plugHandlers(parts),
    ...runnerHandlers(parts),
    ...fileHandlers(parts),
    ...adminHandlers(parts),
  }
  mountRoutes(routes, parts, handlers)
  const methodsAt = openMethodsAt(handlers)
  routes.notFound(({ req: { method, path } }) => {
    const methods = methodsAt(path)
    return methods.length === 0 || methods.includes(method)
      ? refusalResponse(refuse('not_found', 'there is no such route'))
      : wrongMethod(method, methods)
  })
  startRoute(routes, parts)
  pageRoutes(routes, parts)
  return routes
}
