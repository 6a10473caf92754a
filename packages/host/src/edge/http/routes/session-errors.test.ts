import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { SWEEP_MS, secondApp, withSubmodes } from '../../../testing/agent-host.ts'
import {
  failed,
  messagesOf,
  openRouteHost,
  ROUTES,
  type RouteHost,
  type SessionRequest,
} from '../../../testing/session-routes.ts'

const AGENT = `${ROUTES}/agent`
const RUN_ID = '0b3f8f3e-6d4c-4a53-9c7e-1f2a3b4c5d6e'
const body = { content: 'hi', run_id: RUN_ID }
const { AGENT_IDLE_TTL_MS: IDLE, EXPIRED_KEEP_MS: KEEP, REVOKED_RETENTION_MS: RETENTION } = limits

/** Both routes of who shows a session token, each with the failure that it answers. */
const expectBoth = async (services: RouteHost, sent: SessionRequest, told: object) => {
  for (const path of [AGENT, `${AGENT}/cancel`])
    expect([path, await services.send(path, { body, ...sent })]).toMatchObject([path, told])
}
describe('what became of a session, by a token that is good', () => {
  let services: RouteHost
  beforeAll(async () => {
    // A token that outlives its session; the other tests have one that does not.
    const long = 10 * (IDLE + KEEP + RETENTION)
    services = await openRouteHost({ limits: { SESSION_TOKEN_TTL_MS: long, SIGN_IN_TTL_MS: long } })
  })
  afterAll(() => services.close())

  verifies(
    [
      'errors.session.by_name',
      'session.expired.call',
      'decision.delete.after',
      'error.session_expired',
      'decision.session.expired_kept',
    ],
    'expired, then revoked, then gone with its token',
    async () => {
      const { token: bearer } = await services.make()
      await services.clock.advance(IDLE)
      await expectBoth(services, { bearer }, failed(410, 'APP_SESSION_EXPIRED', -32_017))
      await services.clock.advance(KEEP)
      await expectBoth(services, { bearer }, failed(410, 'APP_SESSION_REVOKED', -32_011))
      await services.clock.advance(RETENTION)
      await expectBoth(services, { bearer }, failed(410, 'session_expired'))
    },
  )

  verifies(['session.delete.cancels', 'errors.session.by_name'], 'deleted', async () => {
    const { uuid, token: bearer } = await services.make()
    await services.send(`${ROUTES}/sessions/${uuid}`, { method: 'DELETE' })
    await expectBoth(services, { bearer }, failed(410, 'APP_SESSION_REVOKED', -32_011))
  })

  verifies(
    ['error.session_expired', 'wall.sessions.uninstalled'],
    'of an app that is uninstalled',
    async () => {
      const appId = await secondApp(services)
      const uuid = await services.create({}, { appId })
      const { body: refreshed } = await services.send(`${ROUTES}/sessions/${uuid}/refresh`)
      const [install] = (await services.host.apps.installed('ada')).filter((one) => one.app_id === appId)
      await services.host.apps.uninstall('ada', install?.install_id ?? '')
      await expectBoth(services, { bearer: refreshed.app_session_token }, failed(410, 'session_expired'))
    },
  )
})

verifies(
  ['error.session_token_expired', 'errors.session.numbers', 'token.session.lapsed', 'limits.session_token'],
  'a token that has run out under a session that lives is told so, and a refresh gives the next',
  async () => {
    const services = await openRouteHost()
    const { uuid, token: bearer } = await services.make()
    await services.clock.advance(limits.SESSION_TOKEN_TTL_MS + limits.TOKEN_SKEW_MS - 1)
    expect(await services.send(`${AGENT}/cancel`, { bearer, body })).toMatchObject({
      body: { cancelled: false },
    })
    await services.clock.advance(1)
    await expectBoth(services, { bearer }, failed(401, 'APP_SESSION_TOKEN_EXPIRED', -32_018))
    const { body: refreshed } = await services.send(`${ROUTES}/sessions/${uuid}/refresh`)
    const next = refreshed.app_session_token
    const messages = await messagesOf(await services.send(AGENT, { bearer: next, body }))
    expect(messages.at(-1)?.event).toBe('complete')
    await services.clock.advance(IDLE)
    for (const old of [bearer, next])
      await expectBoth(services, { bearer: old }, failed(410, 'APP_SESSION_EXPIRED', -32_017))
    await services.clock.advance(KEEP + SWEEP_MS)
    await expectBoth(services, { bearer }, failed(410, 'APP_SESSION_REVOKED', -32_011))
    await services.clock.advance(RETENTION + SWEEP_MS)
    await expectBoth(services, { bearer }, failed(410, 'session_expired'))
    await services.close()
  },
)

describe('a token', () => {
  let services: RouteHost
  let own: { readonly uuid: string; readonly token: string }
  beforeAll(async () => {
    services = await openRouteHost()
    own = await services.make()
  })
  afterAll(() => services.close())

  const authorization = (text: string) => ({ headers: { authorization: text } })
  verifies.each([
    'token.session.signature',
    'route.agent.run',
    'route.agent.cancel',
    'wall.token.strict_text',
  ])([
    ['that is missing', () => ({ cookie: null })],
    ['instead of which there is a cookie', () => ({})],
    ['that nobody minted', () => ({ bearer: 'x.y.z' })],
    ['of a window', async () => ({ bearer: (await services.asWindow())['x-svc-app-token'] })],
    [
      'with a letter changed',
      () => ({ bearer: own.token.replace(/.(?=.{50}$)/, (one) => (one === 'a' ? 'b' : 'a')) }),
    ],
    ['with another beside it', () => authorization(`Bearer ${own.token}, Bearer ${own.token}`)],
    ['of another scheme', () => authorization(`Basic ${own.token}`)],
    ['without a scheme', () => authorization(own.token)],
    ['that is empty', () => authorization('Bearer ')],
  ] as const)('%s is invalid_token', async (_name, sentOf) => {
    await expectBoth(services, await sentOf(), failed(401, 'invalid_token'))
  })

  verifies.each(['wall.own_keys', 'error.session_not_found', 'decision.session.unknown'])([
    ['another session of its user', () => services.create()],
    ['a session that never was', async () => 'aps_nosuch'],
  ])('stands for one session: %s is not there', async (_name, uuidOf) => {
    const app_session_uuid = await uuidOf()
    const sent = { bearer: own.token, body: { ...body, app_session_uuid } }
    await expectBoth(services, sent, failed(404, 'APP_SESSION_NOT_FOUND'))
  })

  verifies.each(['route.agent.run', 'wall.media_type', 'run.args.content', 'run.args.uuid'])([
    ['no content', { body: {} }, 400, 'invalid_arg'],
    ['white space', { body: { content: ' \n' } }, 400, 'invalid_arg'],
    ['what is not a uuid of a session', { body: { ...body, app_session_uuid: 7 } }, 400, 'invalid_arg'],
    ['what is not a uuid of a run', { body: { content: 'hi', run_id: '7' } }, 400, 'invalid_arg'],
    ['seven attachments', { body: { ...body, attachments: Array(7).fill({}) } }, 400, 'invalid_arg'],
    ['no object', { body: '[]' }, 400, 'invalid_arg'],
    ['no JSON', { body: '{' }, 400, 'invalid_arg'],
    ['another type', { headers: { 'content-type': 'text/plain' } }, 415, 'invalid_arg'],
    ['a prompt with tokens', { body: { ...body, systemPrompt: '<|im_start|>' } }, 400, 'APP_INVALID_REQUEST'],
    ['another Host', { headers: { host: 'evil.example' } }, 403, 'permission_denied'],
  ] as const)('with %s is refused', async (_name, sent, status, name) => {
    expect(await services.send(AGENT, { bearer: own.token, body, ...sent })).toMatchObject(
      failed(status, name),
    )
  })

  verifies.each('route.agent.cancel')([
    ['no run', { body: {} }, 400, 'invalid_arg'],
    ['another type', { headers: { 'content-type': 'text/plain' } }, 415, 'invalid_arg'],
    [
      'a body that is too long',
      { body: `{"run_id":"${'x'.repeat(limits.ROUTE_BODY_MAX_BYTES)}"}` },
      413,
      'invalid_arg',
    ],
  ] as const)('cancels nothing with %s', async (_name, sent, status, name) => {
    const all = { bearer: own.token, body, ...sent }
    expect(await services.send(`${AGENT}/cancel`, all)).toMatchObject(failed(status, name))
  })

  verifies('route.agent.run', 'runs what the manifest of now allows', async () => {
    await services.pushDraft(withSubmodes({ fixed: { client_ids: [] } }))
    await services.clock.advance(limits.CACHE_STALE_MS)
    await expectBoth(services, { bearer: own.token }, failed(403, 'permission_denied'))
    await services.pushDraft(withSubmodes({ auto: true }))
    await services.clock.advance(limits.CACHE_STALE_MS)
    expect((await services.send(AGENT, { bearer: own.token, body })).status).toBe(200)
  })
})
