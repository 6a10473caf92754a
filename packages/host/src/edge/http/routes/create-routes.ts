import { Refusal, refuse } from '@svc/contract'
import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { noteDenied } from '../../../access/audit/denied.ts'
import { localPath } from '../../../kernel/request/base-path.ts'
import { paths } from '../../../kernel/request/paths.ts'
import type { Services } from '../../services.ts'
import { webHead } from '../fetch-front.ts'
import { adminRoutes } from './admin.ts'
import { refusalResponse, sessionRefusalResponse } from './answer.ts'
import { approvalRoutes } from './approvals.ts'
import { appRoutes } from './apps.ts'
import { bundleRoutes } from './bundles.ts'
import { completionRoutes } from './completions.ts'
import { devLoginRoute } from './dev-login.ts'
import type { RouteDeps, RouteEnv, RouteParts } from './env.ts'
import { fileRoutes } from './files.ts'
import { fromSamplingRoute } from './from-sampling.ts'
import { healthRoutes } from './health.ts'
import { installRoutes } from './installs.ts'
import { jobRoutes } from './jobs.ts'
import { pageRoutes } from './page.ts'
import { plugRoutes } from './plugs.ts'
import { rated, routeHead, slowRefusals } from './rated.ts'
import { reportRoutes } from './reports.ts'
import { runnerRoutes } from './runners.ts'
import { sessionRunRoutes } from './session-runs.ts'
import { sessionRoutes } from './sessions.ts'
import { signOutRoute } from './sign-out.ts'
import { fromPage, signedIn } from './signed-in.ts'
import { startRoute } from './start.ts'
import { uploadRoutes } from './uploads.ts'
import { userSessionRoutes } from './user-sessions.ts'
import { whoRoute } from './who.ts'
import { windowRoutes } from './windows.ts'

/** Routes that need the cookie; listed, so that an unknown path is 404 without a sign-in too. */
const cookiePaths = [
  '/apps/*',
  '/installs/*',
  '/windows/*',
  '/approvals/*',
  '/jobs/*',
  '/sessions/*',
  '/runners/*',
]

/** Makes every route that is not hot. Every request's `Host` is judged first. */
export function createRoutes(house: Services, deps: RouteDeps): Hono<RouteEnv> {
  const parts = { ...deps, house }
  const { basePath } = house.settings
  const routes = new Hono<RouteEnv>({ getPath: (request) => localPath(basePath, getPath(request)) })
  routes.use('*', slowRefusals(house))
  routes.use('*', async (c, next) => {
    const misplaced = deps.guard.host(webHead(c.req.raw))
    if (misplaced) {
      house.limiter.holdFrom('refused', routeHead(c))
      throw misplaced
    }
    await next()
  })
  routes.use('*', rated(parts))
  routes.onError((error, c) => {
    const answer = isOfSessions(c.req.path) ? sessionRefusalResponse : refusalResponse
    noteDenied(house.audit, error, {
      head: routeHead(c),
      userId: c.get('userId'),
      method: c.get('route') ?? c.req.method,
    })
    if (error instanceof Refusal) {
      c.set('isRateLimited', error.code === 'rate_limited')
      return answer(error)
    }
    house.log.error({ err: error }, 'a route failed')
    return answer(refuse('internal_error'))
  })
  routes.notFound(() => refusalResponse(refuse('not_found', 'there is no such route')))

  devLoginRoute(routes, parts)
  whoRoute(routes, parts)
  signOutRoute(routes, parts)
  bundleRoutes(routes, parts)
  fileRoutes(routes, parts)
  uploadRoutes(routes, parts)
  healthRoutes(routes, parts)
  adminRoutes(routes, parts)
  reportRoutes(routes, parts)
  routes.route('/api/v1/svc-apps', cookieRoutes(parts))
  routes.route(paths.sessions, appRoutesOf(parts))
  fromSamplingRoute(routes, parts)
  routes.route(paths.plugs, publishingRoutes(parts))
  startRoute(routes, parts)
  pageRoutes(routes, parts)
  return routes
}

function cookieRoutes(parts: RouteParts): Hono<RouteEnv> {
  const routes = new Hono<RouteEnv>()
  for (const path of cookiePaths) routes.use(path, fromPage(parts), signedIn(parts))
  appRoutes(routes, parts)
  installRoutes(routes, parts)
  windowRoutes(routes, parts)
  approvalRoutes(routes, parts)
  jobRoutes(routes, parts)
  userSessionRoutes(routes, parts)
  runnerRoutes(routes, parts)
  return routes
}

function publishingRoutes(parts: RouteParts): Hono<RouteEnv> {
  const routes = new Hono<RouteEnv>()
  plugRoutes(routes, parts)
  return routes
}

/** The session routes; each says itself what admits it. */
function appRoutesOf(parts: RouteParts): Hono<RouteEnv> {
  const routes = new Hono<RouteEnv>()
  completionRoutes(routes, parts)
  sessionRoutes(routes, parts)
  sessionRunRoutes(routes, parts)
  return routes
}

/** Whether a path is one of theirs, whose failures have a form of their own. */
const isOfSessions = (path: string): boolean =>
  path.startsWith(`${paths.sessions}/`) || path === paths.fromSampling
