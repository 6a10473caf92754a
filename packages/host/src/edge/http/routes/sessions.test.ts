import { verifies } from '@svc/conformance/verifies'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { secondApp, withSubmodes } from '../../../testing/agent-host.ts'
import {
  failed,
  openRouteHost,
  ROUTES,
  type RouteHost,
  type SessionRequest,
} from '../../../testing/session-routes.ts'

const SESSIONS = `${ROUTES}/sessions`
let services: RouteHost
beforeAll(async () => {
  services = await openRouteHost()
})
afterAll(() => services.close())

const GET = { method: 'GET' } as const

verifies(
  ['route.sessions.create', 'token.session.claims', 'route.sessions.token'],
  'create answers what the call answers, and the token of the session besides',
  async () => {
    const headers = await services.asWindow()
    const args = { submode: 'fixed', fixedClientId: 'weather', label: 'chat', system: 'Be brief.' }
    const { status, body, response } = await services.send(SESSIONS, { body: args, headers })
    const called = await services.call('create', { ...args })
    const { app_session_token, ...rest } = body
    const { result } = called.body
    expect([status, rest]).toEqual([200, { ...result, app_session_uuid: expect.stringMatching(/^aps_/) }])
    expect(result).not.toHaveProperty('app_session_token')
    expect(decodeJwt(app_session_token)).toMatchObject({
      aud: 'aps-llm',
      app_session_uuid: rest.app_session_uuid,
      submode: 'fixed',
      user_id: 'ada',
      app_id: services.appId,
      fixed_client_id: result.fixed_client_id,
    })
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.has('access-control-allow-origin')).toBe(false)
  },
)

verifies(
  ['route.sessions.list', 'session.list.result', 'session.list.limit'],
  'list answers what the call answers, from its query',
  async () => {
    const own = await openRouteHost()
    for (const label of ['a', 'b', 'c']) await own.make({ label })
    const ended = await own.make({ label: 'd' })
    await own.call('delete', { app_session_uuid: ended.uuid })
    const headers = { ...(await own.asWindow()), origin: null }
    const labels = async (query: string) => {
      const { status, body } = await own.send(SESSIONS + query, { ...GET, headers })
      return body.sessions?.map((one: { label: string }) => one.label) ?? [status, body.error.name]
    }
    expect(await labels('')).toEqual(['c', 'b', 'a'])
    expect(await labels('?limit=1')).toEqual(['c'])
    expect(await labels('?limit=0')).toEqual(['c'])
    expect(await labels('?include_expired=true')).toEqual(['d', 'c', 'b', 'a'])
    expect(await labels('?includeExpired=true&limit=2')).toEqual(['d', 'c'])
    expect(await labels('?limit=x')).toEqual([400, 'invalid_arg'])
    expect(await labels('?include_expired=1')).toEqual([400, 'invalid_arg'])
    expect(JSON.stringify((await own.send(SESSIONS, { ...GET, headers })).body)).not.toMatch(/eyJ/)
    await own.close()
  },
)

verifies(
  ['route.sessions.refresh', 'session.refresh.result', 'token.session.reminted', 'route.sessions.token'],
  'refresh slides a session and answers a fresh token',
  async () => {
    const { uuid, token } = await services.make()
    await services.clock.advance(60_000)
    const { status, body } = await services.send(`${SESSIONS}/${uuid}/refresh`)
    const { app_session_token, ...rest } = body
    const called = await services.call('refresh', { app_session_uuid: uuid })
    expect([status, rest]).toEqual([200, called.body.result])
    expect(app_session_token).not.toBe(token)
    expect(decodeJwt(app_session_token)).toMatchObject({ iat: services.clock.now() / 1_000 })
  },
)

verifies(
  ['route.sessions.delete', 'session.delete.identity', 'session.delete.idempotent', 'decision.delete.always'],
  'delete ends a session by cookie and uuid, whatever became of it and of its token',
  async () => {
    const own = await openRouteHost()
    const [deleted, expired] = [await own.make(), await own.make()]
    const bob = await own.signIn('bob')
    const end = (uuid: string, sent: SessionRequest = {}) =>
      own.send(`${SESSIONS}/${uuid}`, { method: 'DELETE', ...sent })
    const done = { status: 200, body: { deleted: true } }
    expect(await end(expired.uuid, { cookie: bob })).toMatchObject(done)
    expect((await own.send(`${SESSIONS}/${expired.uuid}/refresh`)).status).toBe(200)
    await own.clock.advance(1_800_000)
    for (const uuid of [deleted.uuid, deleted.uuid, expired.uuid, 'aps_nosuch'])
      expect(await end(uuid)).toMatchObject(done)
    expect(await own.send(`${SESSIONS}/${expired.uuid}/refresh`)).toMatchObject(
      failed(410, 'APP_SESSION_REVOKED', -32_011),
    )
    await own.close()
  },
)

describe('a route of a window', () => {
  const create: SessionRequest = { body: { submode: 'auto' } }
  verifies.each(['route.sessions.create', 'route.sessions.list', 'wall.origin', 'token.window.cookie'])([
    ['no window token', { headers: { 'x-svc-app-token': null } }, 401, 'invalid_token'],
    ['a window token of nobody', { headers: { 'x-svc-app-token': 'x.y.z' } }, 401, 'invalid_token'],
    ['no cookie', { cookie: null }, 401, 'invalid_token'],
    ["another user's cookie", { cookie: 'bob' }, 401, 'invalid_token'],
    ['a session token for a cookie', { bearer: 'own' }, 401, 'invalid_token'],
    ['another Host', { headers: { host: 'evil.example' } }, 403, 'permission_denied'],
  ] as const)('with %s is refused', async (_name, sent, status, name) => {
    const { cookie, bearer } = { cookie: undefined, bearer: undefined, ...sent }
    const made = await services.make()
    const all: SessionRequest = {
      ...sent,
      headers: {
        ...(await services.asWindow()),
        origin: services.origin,
        ...('headers' in sent && sent.headers),
      },
      ...(cookie === 'bob' && { cookie: await services.signIn('bob') }),
      ...(bearer && { bearer: made.token }),
    }
    expect(await services.send(SESSIONS, { ...create, ...all })).toMatchObject(failed(status, name))
    expect(await services.send(SESSIONS, { ...GET, ...all })).toMatchObject(failed(status, name))
  })

  verifies.each(['route.sessions.create', 'wall.origin', 'wall.media_type', 'session.create.submode'])([
    ['no Origin', { headers: { origin: null } }, 403, 'permission_denied'],
    ['a foreign Origin', { headers: { origin: 'https://evil.example' } }, 403, 'permission_denied'],
    ['another type', { headers: { 'content-type': 'text/plain' } }, 415, 'invalid_arg'],
    ['no JSON', { body: '{' }, 400, 'invalid_arg'],
    ['no object', { body: '[]' }, 400, 'invalid_arg'],
    ['no submode', { body: {} }, 400, 'invalid_arg'],
    [
      'a prompt with tokens',
      { body: { submode: 'auto', systemPrompt: '[INST]' } },
      400,
      'APP_INVALID_REQUEST',
    ],
    ['a client that is none', { body: { submode: 'fixed', fixed_client_id: 'x' } }, 403, 'permission_denied'],
  ] as const)('create with %s is refused', async (_name, sent, status, name) => {
    const headers = { ...(await services.asWindow()), ...('headers' in sent && sent.headers) }
    expect(await services.send(SESSIONS, { ...create, ...sent, headers })).toMatchObject(failed(status, name))
  })

  verifies('route.sessions.create', 'needs an app with a submode, and room for a session', async () => {
    const none = await openRouteHost({ manifest: {} })
    const without = { headers: await none.asWindow() }
    for (const sent of [create, GET])
      expect(await none.send(SESSIONS, { ...sent, ...without })).toMatchObject(
        failed(403, 'permission_denied'),
      )
    await none.close()
    const full = await openRouteHost({ limits: { SESSIONS_PER_APP: 1 } })
    await full.make()
    const quota = await full.send(SESSIONS, { ...create, headers: await full.asWindow() })
    expect(quota).toMatchObject(failed(429, 'APP_QUOTA_EXCEEDED'))
    expect(quota.body.error.details).toMatchObject({ http_status: 429, quota: 'sessions' })
    expect(quota.body.error.details).not.toHaveProperty('rpc_code')
    await full.close()
  })
})

describe('a route of the cookie', () => {
  verifies.each([
    'route.sessions.refresh',
    'route.sessions.delete',
    'wall.origin',
    'wall.own_keys',
    'error.session_not_found',
  ])([
    ['no cookie', { cookie: null }, 401, 'invalid_token', 401],
    ['a session token alone', { bearer: 'own', headers: { origin: 'own' } }, 401, 'invalid_token', 401],
    [
      'a window token alone',
      { cookie: null, headers: { 'x-svc-app-token': 'own' } },
      401,
      'invalid_token',
      401,
    ],
    ['no Origin', { headers: { origin: null } }, 403, 'permission_denied', 403],
    ['a foreign Origin', { headers: { origin: 'https://evil.example' } }, 403, 'permission_denied', 403],
    ["another user's cookie", { cookie: 'bob' }, 404, 'APP_SESSION_NOT_FOUND', 200],
    ['a uuid of nothing', { uuid: 'aps_nosuch' }, 404, 'APP_SESSION_NOT_FOUND', 200],
    ['what is not a uuid of a session', { uuid: 'nosuch' }, 400, 'invalid_arg', 400],
  ] as const)('with %s is refused', async (_name, given, status, name, deleted) => {
    const { uuid, token } = await services.make()
    const sent = { uuid, cookie: undefined, bearer: undefined, headers: {}, ...given }
    const headers: Record<string, string | null> = { ...sent.headers }
    if (headers.origin === 'own') headers.origin = services.origin
    if (headers['x-svc-app-token'])
      headers['x-svc-app-token'] = (await services.asWindow())['x-svc-app-token']
    const all: SessionRequest = {
      headers,
      ...(sent.cookie !== undefined && { cookie: sent.cookie && (await services.signIn('bob')) }),
      ...(sent.bearer && { bearer: token }),
    }
    const path = `${SESSIONS}/${sent.uuid}`
    expect(await services.send(`${path}/refresh`, all)).toMatchObject(failed(status, name))
    expect((await services.send(path, { method: 'DELETE', ...all })).status).toBe(deleted)
    expect((await services.send(`${SESSIONS}/${uuid}/refresh`)).status).toBe(200)
  })

  verifies(
    ['wall.sessions.uninstalled', 'route.sessions.refresh'],
    'knows no session of an app that is gone',
    async () => {
      const own = await openRouteHost({ manifest: withSubmodes({ auto: true }) })
      const { uuid } = await own.make()
      const other = await own.create({}, { appId: await secondApp(own) })
      const [install] = (await own.host.apps.installed('ada')).filter((one) => one.app_id === own.appId)
      await own.host.apps.uninstall('ada', install?.install_id ?? '')
      expect(await own.send(`${SESSIONS}/${uuid}/refresh`)).toMatchObject(
        failed(404, 'APP_SESSION_NOT_FOUND'),
      )
      expect((await own.send(`${SESSIONS}/${other}/refresh`)).status).toBe(200)
      await own.close()
    },
  )
})
