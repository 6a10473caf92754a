import { verifies } from '@svc/conformance/verifies'
import { limits, Refusal } from '@svc/contract'
import { expect } from 'vitest'
import { installWith, openSessionBed, versionWith } from '../../testing/sessions.ts'
import { effectiveCaps } from './create.ts'
import type { SessionOrder } from './sessions.ts'

const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof Refusal ? error : Promise.reject(error)),
  )

const manifests = {
  none: versionWith({ auto: false, fixed: null }),
  auto: versionWith({ auto: true, fixed: null }),
  any: versionWith({ auto: false, fixed: { client_ids: [] } }),
  byId: versionWith({ auto: false, fixed: { client_ids: ['tool-local-weather-1', 'tool-other'] } }),
  byHandle: versionWith({ auto: false, fixed: { client_ids: ['weather'] } }),
  another: versionWith({ auto: false, fixed: { client_ids: ['tool-other'] } }),
}

type Row = [
  manifest: keyof typeof manifests,
  submode: SessionOrder['submode'],
  client: string | null,
  code: string,
  says: string,
]

verifies.each([
  'session.create.submode',
  'session.create.submode.enabled',
  'session.create.fixed.id',
  'session.create.fixed.listed',
  'session.create.fixed.any',
  'error.permission_denied.submode',
  'error.permission_denied.client',
])<Row>([
  ['auto', null, null, 'invalid_arg', 'submode must be'],
  ['none', 'auto', null, 'permission_denied', 'ui.host_api.agent.session.auto'],
  ['any', 'auto', null, 'permission_denied', 'ui.host_api.agent.session.auto'],
  ['auto', 'fixed', 'weather', 'permission_denied', 'ui.host_api.agent.session.fixed'],
  ['auto', 'fixed', null, 'permission_denied', 'ui.host_api.agent.session.fixed'],
  ['any', 'fixed', null, 'invalid_arg', 'fixed_client_id is required'],
  ['byId', 'fixed', null, 'invalid_arg', 'fixed_client_id is required'],
  ['another', 'fixed', 'weather', 'permission_denied', 'client_ids'],
  ['another', 'fixed', 'nosuch', 'permission_denied', 'client_ids'],
  ['any', 'fixed', 'nosuch', 'permission_denied', 'this user has no plugin "nosuch"'],
  ['another', 'fixed', 'tool-other', 'permission_denied', 'this user has no plugin "tool-other"'],
])('with %s in the manifest, %s and %s is %s', async (manifest, submode, fixedClientId, code, says) => {
  const bed = openSessionBed()
  const refused = await refusalOf(bed.create({ version: manifests[manifest], submode, fixedClientId }))
  expect([refused?.code, `${refused?.message} ${refused?.details?.hint}`]).toEqual([
    code,
    expect.stringContaining(says),
  ])
  expect(await bed.sessions.list({ userId: 'ada' }, { includeExpired: true, limit: 1 })).toEqual([])
})

verifies.each([
  'session.submode',
  'session.kind',
  'session.create.fixed.any',
  'session.create.auto.ignores',
  'session.fields',
])<[keyof typeof manifests, SessionOrder['kind'], SessionOrder['submode'], string | null, unknown]>([
  ['auto', 'agent', 'auto', 'nosuch', { submode: 'auto', fixed_client_id: null }],
  ['any', 'agent', 'fixed', 'weather', { submode: 'fixed', fixed_client_id: 'tool-local-weather-1' }],
  ['byId', 'agent', 'fixed', 'weather', { submode: 'fixed', fixed_client_id: 'tool-local-weather-1' }],
  ['byId', 'agent', 'fixed', 'tool-local-weather-1', { fixed_client_id: 'tool-local-weather-1' }],
  ['byHandle', 'agent', 'fixed', 'tool-local-weather-1', { fixed_client_id: 'tool-local-weather-1' }],
  ['none', 'complete', 'auto', 'weather', { kind: 'complete', submode: null, fixed_client_id: null }],
])(
  'with %s in the manifest a session of %s, %s and %s is %j',
  async (manifest, kind, submode, client, row) => {
    const bed = openSessionBed()
    const order = { version: manifests[manifest], kind, submode, fixedClientId: client }
    expect((await bed.create(order)).row).toMatchObject({ kind, ...(row as object) })
  },
)

verifies(
  ['session.label', 'session.system_prompt.kept'],
  'a session keeps its label, prompt and plugin, and whether it inherits',
  async () => {
    const bed = openSessionBed()
    const plain = await bed.create()
    expect(plain.row).toMatchObject({ label: null, system_prompt: null, inherit_host_tools: false })
    const install = installWith({ agent: { inherit_host_tools: true } })
    const order = { label: 'chat', systemPrompt: 'Be brief.', pluginId: 'tool-local-weather-1', install }
    expect((await bed.create(order)).row).toMatchObject({
      label: 'chat',
      system_prompt: 'Be brief.',
      inherit_host_tools: true,
      plugin_id: 'tool-local-weather-1',
    })
  },
)

verifies('session.system_prompt.length', 'a prompt has at most 32 000 characters', async () => {
  const bed = openSessionBed()
  await bed.create({ systemPrompt: 'é'.repeat(32_000) })
  const refused = await refusalOf(bed.create({ systemPrompt: 'é'.repeat(32_001) }))
  expect(refused).toMatchObject({
    code: 'APP_INVALID_REQUEST',
    message: expect.stringContaining('32001'),
    details: { hint: expect.any(String) },
  })
})

verifies.each(['session.caps.minimum', 'session.caps.default', 'session.quota_caps.stored'])([
  ['nothing', {}, {}, { max_tokens_per_call: 4_096, max_concurrent_runs: 4 }],
  [
    'what is asked where nothing is granted',
    { max_tokens_per_call: 9_000, max_runs_per_day: 3, max_concurrent_runs: 9 },
    {},
    { max_tokens_per_call: 9_000, max_runs_per_day: 3, max_concurrent_runs: 9 },
  ],
  [
    'what is granted where nothing is asked',
    {},
    { max_tokens_per_call: 9_000, max_runs_per_day: 0, max_concurrent_runs: 0 },
    { max_tokens_per_call: 9_000, max_runs_per_day: 0, max_concurrent_runs: 0 },
  ],
  [
    'the smaller of the two, each by itself',
    { max_tokens_per_call: 100, max_runs_per_day: 50, max_concurrent_runs: 2 },
    { max_tokens_per_call: 200, max_runs_per_day: 5, max_concurrent_runs: 2 },
    { max_tokens_per_call: 100, max_runs_per_day: 5, max_concurrent_runs: 2 },
  ],
])('caps are %s', async (_what, asked, quota_caps, effective) => {
  const bed = openSessionBed()
  const { row } = await bed.create({ caps: asked, install: installWith({ quota_caps }) })
  expect(row.caps).toEqual(effective)
  expect(effectiveCaps(asked, { quota_caps }, limits)).toMatchObject(effective)
})

verifies('decision.session.runs_per_day', 'runs of a session are counted by the day of UTC', async () => {
  const bed = openSessionBed()
  const { id } = await bed.create({ caps: { max_runs_per_day: 2 } })
  const count = () => bed.sessions.slide(id, { countRun: true })
  for (let n = 0; n < 9; n += 1) await bed.sessions.slide(id)
  expect((await Promise.all([count(), count()])).map((record) => record?.row.runs_today).sort()).toEqual([
    1, 2,
  ])
  const refused = await refusalOf(count())
  expect(refused).toMatchObject({
    code: 'APP_QUOTA_EXCEEDED',
    details: { quota: 'max_runs_per_day', max: 2, used: 2, resets_at: '2026-01-02T00:00:00.000Z' },
  })

  const late = openSessionBed()
  await late.clock.advance(86_400_000 - 1)
  const made = await late.create({ caps: { max_runs_per_day: 1 } })
  const again = () => late.sessions.slide(made.id, { countRun: true })
  expect((await again())?.row.runs_today).toBe(1)
  expect((await refusalOf(again()))?.code).toBe('APP_QUOTA_EXCEEDED')
  await late.clock.advance(1)
  expect((await again())?.row.runs_today).toBe(1)
})
