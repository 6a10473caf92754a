import { errorsOf } from '@svc/contract/routes'
import { expect } from 'vitest'
import { openSignIn } from '../access/users/sign-in.ts'
import { openGuard } from '../edge/guard.ts'
import { handlerTable } from '../edge/handlers/index.ts'
import { createRoutes } from '../edge/http/routes/create-routes.ts'
import type { RouteDeps } from '../edge/http/routes/env.ts'
import { rowAt } from '../edge/http/routes/rated.ts'
import { openStartToken } from '../edge/http/start-token.ts'
import { openDispatch } from '../edge/rpc/dispatch.ts'
import { openGateway } from '../edge/rpc/gateway.ts'
import { openLongBodies } from '../edge/rpc/long-bodies.ts'
import { openLongCalls } from '../edge/rpc/long-calls.ts'
import { openOrder } from '../edge/rpc/order.ts'
import { openInFlight } from '../kernel/inflight.ts'
import { openBodies } from '../kernel/limiter/bodies.ts'
import { type TestServices, type TestServicesOptions, testManifest, testServices } from './services.ts'

/** Where the tests' requests go to. */
export const ORIGIN = 'http://127.0.0.1:8787'
/** Where most routes live. */
export const API = '/api/v1/svc-apps'

interface RequestOptions {
  readonly method?: string
  readonly body?: unknown
  readonly cookie?: string | null
  readonly headers?: Readonly<Record<string, string | null>>
  /** What the `node:http` front hands over. */
  readonly env?: unknown
}

/** The header that shows the start token of a host. */
export const starts = ({ settings }: TestServices) => ({ authorization: `Bearer ${settings.startToken}` })

/** Routes over a test host, with ada signed in. */
export const openRoutes = (options: TestServicesOptions & Partial<RouteDeps> = {}) =>
  routesOver(testServices(options), options)

/** Routes over a host that a test made, with ada signed in. */
export async function routesOver(services: TestServices, options: Partial<RouteDeps> = {}) {
  const guard = openGuard(services.settings)
  const signIn = openSignIn({ ...services, authenticate: undefined })
  const dispatch = openDispatch(
    services,
    handlerTable,
    openInFlight(services.limits.IN_FLIGHT_PER_WINDOW),
    openOrder(),
  )
  const bodies = openBodies(services.clock, services.limits)
  const longBodies = openLongBodies(services.limits, services.threads, bodies)
  const gateway = openGateway(
    services,
    guard,
    signIn,
    dispatch,
    openLongCalls(services, dispatch, longBodies),
    bodies,
  )
  const leaving = new AbortController().signal
  const startToken = openStartToken(services.settings, services.clock, services.limits.SIGN_IN_TTL_MS)
  const routes = createRoutes(services, {
    guard,
    signIn,
    startToken,
    gateway,
    bodies,
    longBodies,
    leaving,
    ...options,
  })

  async function send(
    path: string,
    { method = 'GET', body, cookie = ada, headers = {}, env }: RequestOptions = {},
  ) {
    const raw = typeof body === 'string' || body instanceof Uint8Array
    const all = {
      host: '127.0.0.1:8787',
      origin: ORIGIN,
      cookie,
      'content-type': body === undefined ? null : 'application/json',
      ...headers,
    }
    const request = new Request(ORIGIN + path, {
      method,
      headers: Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null),
      ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
    })
    const response = await routes.fetch(request, env)
    const text = await response.text()
    const type = response.headers.get('content-type') ?? ''
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
    const json: any = type.startsWith('application/json') && text !== '' ? JSON.parse(text) : null
    const code = json?.error?.code
    const row = rowAt(method, new URL(request.url).pathname)?.row
    // What the reference says of a route is what it refuses with.
    if (row && code !== undefined && row.failure !== 'session') expect(errorsOf(row)).toContain(code)
    return { status: response.status, headers: response.headers, text, json, code }
  }
  const login = async (user: string) => {
    const { headers } = await send('/api/v1/auth/dev-login', {
      method: 'POST',
      body: { user },
      cookie: null,
      headers: starts(services),
    })
    return headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  let ada: string | null = null
  if (services.settings.signIn === 'dev') ada = await login('ada')
  return { services, routes, send, login }
}

/** The manifest of the test app. */
export const manifest = testManifest()
/** Its entry file. */
export const html = Buffer.from('<!doctype html>')
/** A push of it in JSON. */
export const push = { manifest, files: { 'index.html': html.toString('base64') } }

/** Routes over a host where ada pushed an app and installed it. */
export async function withApp(options: TestServicesOptions & Partial<RouteDeps> = {}) {
  const opened = await openRoutes(options)
  const { json } = await opened.send(`${API}/apps`, {
    method: 'POST',
    body: { slug: 'notes', name: 'Notes' },
  })
  const app_id: string = json.app_id
  const draft = await opened.send(`${API}/apps/${app_id}/draft`, { method: 'PUT', body: push })
  const installed = await opened.send(`${API}/installs`, {
    method: 'POST',
    body: { app_id, version: '0.0.0-draft', grants: { web_grant: true } },
  })
  return { ...opened, app_id, draft: draft.json, install_id: installed.json.install_id as string }
}
