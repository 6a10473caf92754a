import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { afterAll, beforeAll, expect } from 'vitest'
import {
  type AgentHost,
  openAgentHost,
  refusedCall as refused,
  withSubmodes,
} from '../../testing/agent-host.ts'

const { AGENT_IDLE_TTL_MS: IDLE } = limits

let services: AgentHost
beforeAll(async () => {
  services = await openAgentHost()
})
afterAll(() => services.close())

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
