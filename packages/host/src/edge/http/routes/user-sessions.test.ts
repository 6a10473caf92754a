import { verifies } from '@svc/conformance/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { type AgentHost, openAgentHost, secondApp } from '../../../testing/agent-host.ts'

const SESSIONS = '/api/v1/svc-apps/sessions'
let services: AgentHost
let ada: string
let appId: string
const ids: string[] = []

beforeAll(async () => {
  services = await openAgentHost()
  ada = await services.signIn('ada')
  appId = await secondApp(services)
  ids.push(
    await services.create({ label: 'one' }),
    await services.create({}, { appId }),
    await services.create(),
  )
})
afterAll(() => services.close())

const send = async (path: string, { method = 'GET', cookie = ada } = {}) => {
  const response = await services.request(SESSIONS + path, { method, cookie })
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
  return { status: response.status, body: (await response.json()) as any }
}

verifies(
  ['route.sessions.page', 'host.twins'],
  'the page lists the sessions of its user over all apps, with what is left of each',
  async () => {
    const { status, body } = await send('')
    expect(status).toBe(200)
    expect(body).toEqual({ sessions: await services.host.sessions.list('ada') })
    const life = { expires_in: 600, idle_expires_in: 1_800, max_lifetime_in: 86_400, active_runs: 0 }
    expect(body.sessions).toMatchObject([
      { app_session_uuid: ids[2], app_id: services.appId, state: 'active', ...life },
      { app_session_uuid: ids[1], app_id: appId, ...life },
      { app_session_uuid: ids[0], app_id: services.appId, label: 'one', ...life },
    ])
    expect((await send('', { cookie: await services.signIn('bob') })).body).toEqual({ sessions: [] })
  },
)

verifies(
  ['route.sessions.page', 'route.foreign', 'host.twins'],
  'the page ends a session of its user and no other, and finds it among the ended ones',
  async () => {
    const path = `/${ids[1]}`
    const deleted = { status: 200, body: { deleted: true } }
    expect(await send(path, { method: 'DELETE', cookie: await services.signIn('bob') })).toEqual(deleted)
    expect((await send('')).body.sessions).toHaveLength(3)
    for (let n = 0; n < 2; n += 1) expect(await send(path, { method: 'DELETE' })).toEqual(deleted)
    expect((await send('')).body.sessions).toHaveLength(2)
    const { body } = await send('?include_expired=true')
    const ended = { expires_in: 0, idle_expires_in: 0, max_lifetime_in: 0 }
    expect(body.sessions[1]).toMatchObject({ app_session_uuid: ids[1], state: 'revoked', ...ended })
    await services.host.sessions.end('ada', ids[0] ?? '')
    expect((await send('?include_expired=false')).body.sessions).toMatchObject([{ app_session_uuid: ids[2] }])
  },
)

verifies.each(['route.sessions.page', 'route.errors'])([
  ['?limit=0&include_expired=true', 1],
  ['?limit=2&include_expired=true', 2],
  ['?limit=999&include_expired=true', 3],
  ['?limit=ten', 'invalid_arg'],
  ['?limit=', 'invalid_arg'],
  ['?limit=1.5', 'invalid_arg'],
  ['?include_expired=yes', 'invalid_arg'],
  ['?include_expired=', 'invalid_arg'],
])('%s is %s', async (query, expected) => {
  const { status, body } = await send(query)
  expect([status, body.sessions?.length ?? body.error.code]).toEqual([
    typeof expected === 'number' ? 200 : 400,
    expected,
  ])
})

verifies.each(['route.no_sign_in', 'route.sessions.page'])([
  ['', 'GET'],
  ['/aps_x', 'DELETE'],
])('%s %s needs a sign-in', async (path, method) => {
  const answer = await send(path, { method, cookie: '' })
  expect(answer).toMatchObject({ status: 401, body: { error: { code: 'invalid_token' } } })
})

verifies(['route.sessions.page'], 'only a listed origin ends a session', async () => {
  const headers = { origin: 'https://evil.org' }
  const response = await services.request(`${SESSIONS}/${ids[2]}`, { method: 'DELETE', cookie: ada, headers })
  expect(response.status).toBe(403)
})
