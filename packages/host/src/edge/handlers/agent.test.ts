import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { afterAll, beforeAll, expect } from 'vitest'
import { type AgentHost, openAgentHost, secondApp, withSubmodes } from '../../testing/agent-host.ts'

const { AGENT_IDLE_TTL_MS: IDLE, EXPIRED_KEEP_MS: KEEP, REVOKED_RETENTION_MS: RETENTION } = limits
const MINUTE_MS = 60_000

let services: AgentHost
beforeAll(async () => {
  services = await openAgentHost()
})
afterAll(() => services.close())

/** Status and number of each refusal, written out once more. */
const told = {
  APP_SESSION_EXPIRED: [410, -32_017],
  APP_SESSION_REVOKED: [410, -32_011],
  APP_SESSION_NOT_FOUND: [404],
  APP_QUOTA_EXCEEDED: [429],
  APP_INVALID_REQUEST: [400],
} as const

/** A refusal as a call carries it: the name beside the code, the numbers in its details. */
const refused = (code: keyof typeof told) => {
  const [http_status, rpc_code] = told[code]
  const details = { http_status, ...(rpc_code !== undefined && { rpc_code }) }
  return { status: http_status, body: { ok: false, error: { code, name: code, details } } }
}
const toolId = async () => (await services.host.plugins.of({ userId: 'ada', version: null }))[0]?.tool_id

verifies(
  [
    'session.create.result',
    'session.create.active',
    'session.times',
    'token.session.not_in_browser',
    'ids.session',
  ],
  'create answers the session, what it may use and what is left of it, and no token',
  async () => {
    const args = { submode: 'auto', label: 'chat', systemPrompt: 'Be brief.', fixed_client_id: 'nosuch' }
    const { status, body } = await services.call('create', args)
    const now = services.clock.now()
    expect([status, body]).toEqual([
      200,
      {
        id: '1',
        ok: true,
        result: {
          app_session_uuid: expect.stringMatching(/^aps_[0-9a-z]{26}$/),
          expires_in: 600,
          submode: 'auto',
          fixed_client_id: null,
          system_prompt: 'Be brief.',
          expires_at: new Date(now + IDLE).toISOString(),
          max_lifetime_at: new Date(now + 86_400_000).toISOString(),
          idle_ttl_seconds: 1_800,
          session_expires_in: 1_800,
          granted_tools: expect.any(Array),
          inherit_host_tools: false,
        },
      },
    ])
    expect(JSON.stringify(body)).not.toMatch(/eyJ/)
  },
)

verifies(
  ['session.refresh.result', 'version.sessions', 'session.slide'],
  'refresh answers the same session with its ends and what is left of each',
  async () => {
    const app_session_uuid = await services.create({ submode: 'fixed', fixed_client_id: 'weather' })
    const born = services.clock.now()
    await services.clock.advance(500)
    expect(await services.call('refresh', { app_session_uuid })).toEqual({
      status: 200,
      text: expect.any(String),
      body: {
        id: '1',
        ok: true,
        result: {
          app_session_uuid,
          expires_in: 600,
          submode: 'fixed',
          fixed_client_id: await toolId(),
          expires_at: new Date(born + 500 + IDLE).toISOString(),
          max_lifetime_at: new Date(born + 86_400_000).toISOString(),
          idle_ttl_seconds: 1_800,
          session_expires_in: 1_800,
        },
      },
    })
  },
)

verifies(
  ['session.list.result', 'session.label', 'session.fields', 'session.quota_caps.stored', 'version.sessions'],
  'list answers sessions newest first, without token, prompt and caps',
  async () => {
    const other = await openAgentHost()
    const first = await other.create({
      label: 'first',
      systemPrompt: 'x',
      quotaCaps: { max_runs_per_day: 1 },
    })
    const second = await other.create({ submode: 'fixed', fixed_client_id: 'weather' })
    const at = new Date(other.clock.now()).toISOString()
    const ends = {
      expires_at: new Date(other.clock.now() + IDLE).toISOString(),
      max_lifetime_at: new Date(other.clock.now() + 86_400_000).toISOString(),
    }
    const times = { created_at: at, last_active_at: at, ...ends, state: 'active', kind: 'agent' }
    const { body } = await other.call('list')
    expect(body.result.sessions).toEqual([
      { app_session_uuid: second, submode: 'fixed', fixed_client_id: await toolId(), label: null, ...times },
      { app_session_uuid: first, submode: 'auto', fixed_client_id: null, label: 'first', ...times },
    ])
    await other.close()
  },
)

verifies.each(['session.create.submode', 'session.create.fixed.id', 'error.permission_denied.client'])([
  [{}, 'invalid_arg', 'submode must be one of "auto", "fixed", got nothing'],
  [{ submode: 'both' }, 'invalid_arg', 'submode must be one of "auto", "fixed", got "both"'],
  [{ submode: true }, 'invalid_arg', 'submode must be one of'],
  [{ submode: ['auto'] }, 'invalid_arg', 'submode must be one of'],
  [{ submode: 'fixed' }, 'invalid_arg', 'fixed_client_id is required'],
  [{ submode: 'fixed', fixed_client_id: null }, 'invalid_arg', 'fixed_client_id is required'],
  [
    { submode: 'fixed', fixed_client_id: '' },
    'invalid_arg',
    'fixed_client_id must have at least 1 character',
  ],
  [{ submode: 'fixed', fixed_client_id: 7 }, 'invalid_arg', 'fixed_client_id must be a string'],
  [{ submode: 'fixed', fixed_client_id: 'nosuch' }, 'permission_denied', 'no plugin "nosuch"'],
  [{ submode: 'auto', label: 'x'.repeat(121) }, 'invalid_arg', 'label must have at most 120 characters'],
  [{ submode: 'auto', systemPrompt: 7 }, 'invalid_arg', 'systemPrompt must be a string'],
  [{ submode: 'auto', systemPrompt: 'x'.repeat(32_001) }, 'APP_INVALID_REQUEST', '32000'],
  [{ submode: 'auto', quotaCaps: [] }, 'invalid_arg', 'quotaCaps must be an object'],
  [{ submode: 'auto', quotaCaps: { max_tokens_per_call: 0 } }, 'invalid_arg', 'at least 1, got 0'],
  [{ submode: 'auto', quotaCaps: { max_runs_per_day: -1 } }, 'invalid_arg', 'at least 0, got -1'],
  [{ submode: 'auto', quotaCaps: { max_concurrent_runs: 1.5 } }, 'invalid_arg', 'must be an integer'],
] as const)('create %j is %s: %s', async (args, code, sentence) => {
  const answer = await services.call('create', args)
  const statuses = { invalid_arg: 400, permission_denied: 403, APP_INVALID_REQUEST: 400 }
  expect(answer.status).toBe(statuses[code])
  expect(answer.body.error).toMatchObject({ code, message: expect.stringContaining(sentence) })
})

verifies('session.create.auto.ignores', 'auto takes the fixed_client_id of its own answers', async () => {
  const { body } = await services.call('create', { submode: 'auto', fixed_client_id: null })
  expect(body.result).toMatchObject({ submode: 'auto', fixed_client_id: null })
})

verifies(
  'session.system_prompt.length',
  'a prompt that is too long is told with name and status',
  async () => {
    const answer = await services.call('create', { submode: 'auto', systemPrompt: 'x'.repeat(32_001) })
    expect(answer).toMatchObject(refused('APP_INVALID_REQUEST'))
    expect(answer.body.error.details.hint).toEqual(expect.any(String))
  },
)

verifies.each(['session.create.submode.enabled', 'error.permission_denied.submode'])([
  [{ auto: true }, 'fixed'],
  [{ fixed: { client_ids: [] } }, 'auto'],
])('with the submodes %j in the manifest %s is permission_denied', async (session, submode) => {
  const other = await openAgentHost({ manifest: withSubmodes(session) })
  const answer = await other.call('create', { submode, fixed_client_id: 'weather' })
  const hint = expect.stringContaining(`ui.host_api.agent.session.${submode}`)
  const details = { denied_by: 'manifest', hint }
  expect(answer).toMatchObject({ status: 403, body: { error: { code: 'permission_denied', details } } })
  await other.close()
})

verifies.each(['session.aliases', 'session.system_prompt.legacy'])([
  [{ systemPrompt: 'a', system_prompt: 'b', system: 'c' }, { system_prompt: 'a' }],
  [{ system_prompt: 'b', system: 'c' }, { system_prompt: 'b' }],
  [{ system: 'c' }, { system_prompt: 'c' }],
  [{ systemPrompt: '', system: 'c' }, { system_prompt: '' }],
  [{}, { system_prompt: null }],
  [{ submode: 'fixed', fixedClientId: 'weather' }, { submode: 'fixed' }],
  [{ submode: 'fixed', fixed_client_id: 'weather', fixedClientId: 'nosuch' }, { submode: 'fixed' }],
])('create reads %j as %j', async (args, result) => {
  const { body } = await services.call('create', { submode: 'auto', ...args })
  expect(body).toMatchObject({ ok: true, result })
})

verifies.each('session.aliases')([
  ['create', { submode: 'auto', quota_caps: 7 }, 'quotaCaps must be an object, got 7'],
  ['refresh', { appSessionUuid: 'x' }, 'app_session_uuid must be text that begins with aps_'],
  ['delete', { appSessionUuid: 7 }, 'app_session_uuid must be a string, got 7'],
  ['history', { appSessionUuid: 'x' }, 'app_session_uuid must be'],
  ['cancel', { appSessionUuid: 'aps_x', runId: 'x' }, 'run_id must be a uuid, got "x"'],
  ['attach', { appSessionUuid: 'aps_x', runId: 'x' }, 'run_id must be a uuid, got "x"'],
  ['run', { appSessionUuid: 'aps_x', content: 'hi', runId: 'x' }, 'run_id must be a uuid, got "x"'],
  ['run', { appSessionUuid: 'aps_x', content: 'hi', allowedTools: 7 }, 'allowed_tools must be an array'],
  ['run', { appSessionUuid: 'aps_x', content: 'hi', system: 7 }, 'systemPrompt must be a string'],
  ['run', { appSessionUuid: 'aps_x', content: 'hi', system_prompt: 7 }, 'systemPrompt must be a string'],
  ['list', { includeExpired: 'yes' }, 'include_expired must be a boolean, got "yes"'],
])('%s reads the names of %j', async (method, args, sentence) => {
  const { status, body } = await services.call(method, args)
  expect([status, body.error.code, body.error.message]).toEqual([
    400,
    'invalid_arg',
    expect.stringContaining(sentence),
  ])
})

const bySession = ['run', 'cancel', 'attach', 'history', 'delete', 'refresh']
const noUuids = [undefined, 7, null, '', 'x', 'APS_x', ' aps_x', ['aps_x']]
verifies.each('session.uuid.required')(
  bySession.flatMap((method) => noUuids.map((app_session_uuid) => [method, app_session_uuid])),
)('%s with %j as its session is invalid_arg', async (method, app_session_uuid) => {
  const run_id = '0b3f8f3e-6d4c-4a53-9c7e-1f2a3b4c5d6e'
  const { body } = await services.call(`${method}`, { app_session_uuid, run_id, content: 'hi' })
  expect(body.error).toMatchObject({
    code: 'invalid_arg',
    message: expect.stringMatching(/^app_session_uuid must/),
  })
})

verifies.each('session.uuid.required')([['create'], ['catalog'], ['list']])(
  '%s takes no session',
  async (method) => {
    const { body } = await services.call(method, { submode: 'auto' })
    expect(body.ok).toBe(true)
  },
)

verifies(
  ['session.list.limit', 'limits.session_list', 'session.count'],
  'a list is as long as it may be: 50 by default, 1 to 100 for whatever is asked',
  async () => {
    const other = await openAgentHost()
    for (let n = 0; n < 101; n += 1) await other.create()
    const length = async (limit?: unknown) => {
      const { body } = await other.call('list', { limit })
      return body.ok ? body.result.sessions.length : body.error.code
    }
    const asked = [undefined, 0, -5, 1, 99, 100, 101, 1e9, 1.5, '5', null]
    expect(await Promise.all(asked.map(length))).toEqual([
      50,
      1,
      1,
      1,
      99,
      100,
      100,
      100,
      'invalid_arg',
      'invalid_arg',
      'invalid_arg',
    ])
    await other.close()
  },
)

verifies(
  [
    'session.expired.call',
    'session.delete.result',
    'session.delete.idempotent',
    'session.refresh.ended',
    'decision.delete.after',
    'session.purge',
    'session.reaper',
    'session.revoked.visible',
    'decision.session.expired_kept',
  ],
  'a session over RPC on its way from active to gone, by the host alone',
  async () => {
    const other = await openAgentHost()
    const run_id = '0b3f8f3e-6d4c-4a53-9c7e-1f2a3b4c5d6e'
    const app_session_uuid = await other.create()
    const deleted = await other.create()
    const stateOf = async (uuid: string) => {
      const { body } = await other.call('list', { include_expired: true })
      return body.result.sessions.find((one: { app_session_uuid: string }) => one.app_session_uuid === uuid)
        ?.state
    }
    const ended = async (uuid: string, code: keyof typeof told, state: string | undefined) => {
      const args = { app_session_uuid: uuid, run_id, content: 'hi' }
      for (const method of ['refresh', 'cancel', 'run'])
        expect([method, await other.call(method, args)]).toMatchObject([method, refused(code)])
      expect(await stateOf(uuid)).toBe(state)
      expect((await other.call('list')).body.result.sessions).toEqual([])
    }
    for (let n = 0; n < 2; n += 1)
      expect((await other.call('delete', { app_session_uuid: deleted })).body.result).toEqual({
        deleted: true,
      })
    await other.clock.advance(IDLE)
    await ended(app_session_uuid, 'APP_SESSION_EXPIRED', 'expired')
    await ended(deleted, 'APP_SESSION_REVOKED', 'revoked')
    await other.clock.advance(KEEP - 2 * MINUTE_MS)
    await ended(app_session_uuid, 'APP_SESSION_EXPIRED', 'expired')
    await other.clock.advance(3 * MINUTE_MS)
    await ended(app_session_uuid, 'APP_SESSION_REVOKED', 'revoked')
    await ended(deleted, 'APP_SESSION_NOT_FOUND', undefined)
    await other.clock.advance(RETENTION)
    await ended(app_session_uuid, 'APP_SESSION_NOT_FOUND', undefined)
    for (const uuid of [app_session_uuid, deleted, 'aps_nosuch'])
      expect((await other.call('delete', { app_session_uuid: uuid })).body.result).toEqual({ deleted: true })
    await other.close()
  },
)

verifies(
  ['session.window_closed', 'decision.window.sessions_grace'],
  'a window that closes takes its sessions along after half a minute, on the sweep of the host',
  async () => {
    const other = await openAgentHost({ limits: { REAPER_INTERVAL_MS: 1_000 } })
    const window = await other.openWindow()
    const made = await window.call('agent', 'session.create', { submode: 'auto' })
    const app_session_uuid = made.ok ? made.result.app_session_uuid : ''
    const kept = await other.create()
    await window.call('window', 'close')
    await other.clock.advance(29_999)
    expect((await other.call('refresh', { app_session_uuid })).status).toBe(200)
    await other.clock.advance(1_001)
    const [shown] = (await other.host.sessions.list('ada', { includeExpired: true })).slice(-1)
    expect(shown).toMatchObject({ app_session_uuid, state: 'revoked' })
    expect(await other.call('refresh', { app_session_uuid })).toMatchObject(refused('APP_SESSION_REVOKED'))
    expect((await other.call('refresh', { app_session_uuid: kept })).status).toBe(200)
    await other.close()
  },
)

verifies(
  ['session.list.app', 'decision.session.unknown', 'decision.delete.always', 'error.session_not_found'],
  'other apps and other users find no session, and their delete leaves it as it is',
  async () => {
    const other = await openAgentHost()
    const app_session_uuid = await other.create()
    const run_id = '0b3f8f3e-6d4c-4a53-9c7e-1f2a3b4c5d6e'
    const appId = await secondApp(other)
    const cookie = await other.signIn('bob')
    const { version } = await other.host.apps.release('ada', appId, '1.0.0')
    await other.host.apps.install('bob', { app_id: appId, version })
    for (const caller of [{ appId }, { appId, cookie }]) {
      for (const method of ['refresh', 'cancel', 'run']) {
        const answer = await other.call(method, { app_session_uuid, run_id, content: 'hi' }, caller)
        expect([method, answer]).toMatchObject([method, refused('APP_SESSION_NOT_FOUND')])
      }
      expect((await other.call('delete', { app_session_uuid }, caller)).body.result).toEqual({
        deleted: true,
      })
      expect((await other.call('list', { include_expired: true }, caller)).body.result.sessions).toEqual([])
      expect((await other.call('history', { app_session_uuid }, caller)).body.result).toEqual({
        messages: [],
      })
    }
    expect((await other.call('refresh', { app_session_uuid })).status).toBe(200)
    await other.close()
  },
)

verifies(
  'session.expired.quota',
  'more sessions than a user may have are APP_QUOTA_EXCEEDED with a hint',
  async () => {
    const other = await openAgentHost({ limits: { SESSIONS_PER_APP: 2 } })
    const app_session_uuid = await other.create()
    await other.create()
    const full = await other.call('create', { submode: 'auto' })
    expect(full).toMatchObject(refused('APP_QUOTA_EXCEEDED'))
    expect(full.body.error.details).toMatchObject({
      quota: 'sessions',
      max: 2,
      hint: expect.stringContaining('session.delete'),
    })
    await other.call('delete', { app_session_uuid })
    await other.create()
    expect((await other.call('create', { submode: 'auto' })).status).toBe(429)
    await other.clock.advance(IDLE)
    await other.create()
    await other.close()
  },
)

verifies('wall.sessions.uninstalled', 'an app that is uninstalled has no active session left', async () => {
  const other = await openAgentHost()
  await other.create()
  const appId = await secondApp(other)
  await other.create({}, { appId })
  const [install] = (await other.host.apps.installed('ada')).filter((one) => one.app_id === other.appId)
  await other.host.apps.uninstall('ada', install?.install_id ?? '')
  const sessions = await other.host.sessions.list('ada', { includeExpired: true })
  expect(sessions.map((one) => [one.app_id, one.state])).toEqual([
    [appId, 'active'],
    [other.appId, 'revoked'],
  ])
  await other.close()
  expect(other.clock.timers).toBe(0)
})
