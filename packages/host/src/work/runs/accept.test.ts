import { verifies } from '@svc/conformance/verifies'
import { type Attachment, limits } from '@svc/contract'
import type { Store } from '@svc/state'
import { memoryStore } from '@svc/state'
import { expect, it } from 'vitest'
import { type RunRow, runs as runRows } from '../../catalog/run-row.ts'
import { quotas as quotaRows } from '../../models/quotas/quota-row.ts'
import { pictures } from '../../testing/files.ts'
import { sayingModel } from '../../testing/run-model.ts'
import { kindsOf, openRunBed, type RunBedOptions, settled } from '../../testing/runs.ts'
import type { RunArgs } from './runs.ts'

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e'
const OTHER = '1f8fad5b-d9cb-469f-a165-70867728950e'

const rowsOf = async ({ store }: { store: ReturnType<typeof openRunBed>['store'] }): Promise<RunRow[]> =>
  (await store.scan(runRows, 'bySession', { limit: 999 })).rows.map(({ row }) => row)

const codeOf = (work: Promise<unknown>) => work.then(() => 'ok').catch((error) => error.code ?? error)

verifies(
  ['run.id.idempotent', 'decision.run_id.one_execution', 'decision.quota.atomic'],
  'a hundred equal calls at once are one run, one answer and one of the quota',
  async () => {
    const bed = openRunBed({ model: sayingModel('ok'), daily: { runs_per_day: 1 } })
    const session = await bed.session()
    const calls = Array.from({ length: 100 }, () => bed.start(session, { run_id: ID }))
    const answers = new Set((await Promise.all(calls)).map((answer) => JSON.stringify(answer)))
    expect(answers.size).toBe(1)
    const [first] = await rowsOf(bed)
    await bed.ended(first?.stream_id ?? '')
    expect(bed.model.talks).toHaveLength(1)
    expect(await bed.used()).toMatchObject({ runs: 1, tokens: 8 })
    // The quota is full, and so is the answer still the same.
    expect(await bed.start(session, { run_id: ID })).toEqual({ run_id: ID, stream_id: first?.stream_id })
    expect(await codeOf(bed.start(session))).toBe('APP_QUOTA_EXCEEDED')
    expect(await rowsOf(bed)).toHaveLength(1)
    await bed.close()
  },
)

verifies(
  'decision.run_id.one_execution',
  'two hosts that get equal calls at once take one run, and give back what they charged for the other',
  async () => {
    const a = openRunBed({ model: sayingModel('ok') })
    const b = openRunBed({ store: a.store, bus: a.bus, clock: a.clock, model: sayingModel('ok') })
    const session = await a.session()
    const calls = [a, b, a, b].map((bed) => bed.start(session, { run_id: ID }))
    const answers = await Promise.all(calls)
    for (const answer of answers) expect(answer).toEqual(answers[0])
    await a.ended(answers[0]?.stream_id ?? '')
    await settled()
    expect(a.model.talks.length + b.model.talks.length).toBe(1)
    expect(await a.used()).toMatchObject({ runs: 1, tokens: 8 })
    await a.close()
    await b.close()
  },
)

const changes: readonly (readonly [string, Partial<RunArgs>, 'same' | 'other'])[] = [
  ['nothing else', {}, 'same'],
  ['the default in words', { recursion_limit: limits.RECURSION_LIMIT_DEFAULT }, 'same'],
  ['other preferences', { modelPreferences: { speedPriority: 1, costPriority: 0 } }, 'other'],
  ['other content', { content: 'hello ' }, 'other'],
  ['another prompt', { systemPrompt: 'x' }, 'other'],
  ['other steps', { recursion_limit: 7 }, 'other'],
  ['other tools', { allowed_tools: [] }, 'other'],
]
verifies.each('decision.run_id.fingerprint')(changes)(
  'the same run_id, but %s',
  async (_what, change, outcome) => {
    const bed = openRunBed({ model: sayingModel('ok') })
    const session = await bed.session()
    const args = { run_id: ID, content: 'hello' }
    const first = await bed.start(session, args)
    const again = bed.start(session, { ...args, ...change })
    if (outcome === 'same') expect(await again).toEqual(first)
    else expect(await codeOf(again)).toBe('invalid_arg')
    await bed.close()
  },
)

verifies('decision.run_id.fingerprint', 'other arguments at the same moment wait for the first', async () => {
  const bed = openRunBed({ model: sayingModel('ok') })
  const session = await bed.session()
  const calls = ['a', 'b', 'a'].map((content) => codeOf(bed.start(session, { run_id: ID, content })))
  expect(await Promise.all(calls)).toEqual(['ok', 'invalid_arg', 'ok'])
  await bed.close()
})

verifies('run.id.idempotent', 'a run_id is of its session: elsewhere it is another run', async () => {
  const bed = openRunBed({ model: sayingModel('ok') })
  const [one, two] = [await bed.session(), await bed.session()]
  const a = await bed.start(one, { run_id: ID })
  const b = await bed.start(two, { run_id: ID })
  expect(a.stream_id).not.toBe(b.stream_id)
  await bed.close()
})

verifies('run.id.idempotent', 'another window that asks again hears the frames too', async () => {
  const bed = openRunBed({ model: sayingModel('ok') })
  const session = await bed.session()
  const { stream_id } = await bed.start(session, { run_id: ID })
  await bed.start(session, { run_id: ID })
  await bed.start(session, { run_id: ID }, { windowUuid: 'win_2' })
  await bed.start(session, { run_id: ID }, { windowUuid: null })
  expect(bed.followed).toEqual([`win_1 ${stream_id} null`, `win_2 ${stream_id} null`])
  await bed.close()
})

verifies(
  'run.id.idempotent',
  'another window that asks at the same moment hears the frames too',
  async () => {
    const bed = openRunBed({ model: sayingModel('ok') })
    const session = await bed.session()
    const windows = ['win_1', 'win_2', 'win_1', null]
    const calls = windows.map((windowUuid) => bed.start(session, { run_id: ID }, { windowUuid }))
    const [first, ...others] = await Promise.all(calls)
    for (const other of others) expect(other).toEqual(first)
    expect(first).toEqual({ run_id: ID, stream_id: first?.stream_id })
    expect(bed.followed).toEqual([`win_1 ${first?.stream_id} null`, `win_2 ${first?.stream_id} null`])
    await bed.close()
  },
)

verifies(
  'run.id.idempotent',
  'a run that was accepted is answered after its model was taken away',
  async () => {
    const bed = openRunBed({ model: sayingModel('ok') })
    const session = await bed.session()
    const first = await bed.start(session, { run_id: ID })
    const without = { install: { ...bed.caller.install, grants: { models: ['other'] } } }
    expect(await bed.start(session, { run_id: ID }, without)).toEqual(first)
    expect(await codeOf(bed.start(session, { run_id: OTHER }, without))).toBe('permission_denied')
    await bed.close()
  },
)

const day = { max_tokens_per_call: 100, max_runs_per_day: 1, max_concurrent_runs: 9 }
const full: readonly (readonly [string, RunBedOptions, object, object])[] = [
  [
    'runs that wait or run in a session',
    {},
    { caps: { ...day, max_runs_per_day: 9, max_concurrent_runs: 1 } },
    {},
  ],
  ['runs of the day in a session', {}, { caps: day }, { runs_today: 1 }],
  ['runs at once that the app was granted', { grants: { quota_caps: { max_concurrent_runs: 1 } } }, {}, {}],
  ['runs a day that the app was granted', { grants: { quota_caps: { max_runs_per_day: 1 } } }, {}, {}],
  ['runs of the day of the user', { daily: { runs_per_day: 1 } }, {}, {}],
  ['tokens of the day of the user', { daily: { tokens_per_day: 150 } }, {}, {}],
]
verifies.each(['session.quota.code', 'decision.quota.runs'])(full)(
  'a run past the %s is APP_QUOTA_EXCEEDED, says so, and leaves no trace',
  async (_what, options, session, count) => {
    const bed = openRunBed(options)
    const id = await bed.session(session)
    await bed.start(id, { run_id: ID })
    const used = await bed.used()
    await expect(bed.start(id, { run_id: OTHER })).rejects.toMatchObject({
      code: 'APP_QUOTA_EXCEEDED',
      details: { quota: expect.any(String), max: expect.any(Number), hint: expect.any(String) },
    })
    expect(await rowsOf(bed)).toHaveLength(1)
    expect(await bed.used()).toEqual(used)
    expect((await bed.sessions.find({ userId: 'ada' }, id))?.row).toMatchObject(count)
    await bed.close()
  },
)

verifies(
  'decision.quota.runs',
  'of many runs at once a session takes as many as it may have, each host counting all',
  async () => {
    const a = openRunBed()
    const b = openRunBed({ store: a.store, bus: a.bus, clock: a.clock })
    const session = await a.session()
    const codes = await Promise.all(
      Array.from({ length: 40 }, (_, at) => codeOf((at % 2 ? a : b).start(session))),
    )
    expect(codes.filter((code) => code === 'ok')).toHaveLength(limits.CONCURRENT_RUNS_DEFAULT)
    expect(new Set(codes)).toEqual(new Set(['ok', 'APP_QUOTA_EXCEEDED']))
    await a.close()
    await b.close()
  },
)

verifies(
  'decision.quota.runs',
  'the last run of the day is given once, by frames to who came too late',
  async () => {
    const a = openRunBed()
    const b = openRunBed({ store: a.store, bus: a.bus, clock: a.clock })
    const session = await a.session({ caps: day })
    const codes = await Promise.all([a, b].map((bed) => codeOf(bed.start(session))))
    expect(codes.toSorted()).toEqual(['APP_QUOTA_EXCEEDED', 'ok'])
    await settled(6)
    const states = (await rowsOf(a)).map(({ state }) => state)
    expect(states.toSorted()).toEqual(['failed', 'running'])
    const refused = (await rowsOf(a)).find(({ state }) => state === 'failed')
    expect(kindsOf(await a.frames(refused?.stream_id ?? ''))).toEqual([
      'queued',
      'error APP_QUOTA_EXCEEDED',
      'end',
    ])
    expect((await a.used())?.runs).toBe(1)
    await a.close()
    await b.close()
  },
)

verifies.each('run.session')([
  ['that never was', 'APP_SESSION_NOT_FOUND', async () => 'aps_none'],
  [
    'of another user',
    'APP_SESSION_NOT_FOUND',
    (bed: ReturnType<typeof openRunBed>) => bed.session({ user_id: 'bob' }),
  ],
  [
    'of another app',
    'APP_SESSION_NOT_FOUND',
    (bed: ReturnType<typeof openRunBed>) => bed.session({ app_id: 'app_2' }),
  ],
  [
    'that has expired',
    'APP_SESSION_EXPIRED',
    (bed: ReturnType<typeof openRunBed>) => bed.session({ expires_at: bed.clock.now() }),
  ],
  [
    'that was deleted',
    'APP_SESSION_REVOKED',
    async (bed: ReturnType<typeof openRunBed>) => {
      const id = await bed.session()
      await bed.sessions.revoke({ userId: 'ada', appId: 'app_1' }, id)
      return id
    },
  ],
] as const)('a run of a session %s is %s', async (_what, code, make) => {
  const bed = openRunBed()
  expect(await codeOf(bed.start(await make(bed)))).toBe(code)
  expect([await rowsOf(bed), await bed.used()]).toEqual([[], undefined])
  await bed.close()
})

verifies(
  'session.system_prompt.length',
  'a system prompt of a run that is too long is APP_INVALID_REQUEST',
  async () => {
    const bed = openRunBed()
    const session = await bed.session()
    const systemPrompt = 'x'.repeat(limits.SYSTEM_PROMPT_MAX_CHARS + 1)
    expect(await codeOf(bed.start(session, { systemPrompt }))).toBe('APP_INVALID_REQUEST')
    await bed.close()
  },
)

verifies('run.preferences', 'a run that may use no model is permission_denied', async () => {
  const bed = openRunBed({ grants: { models: ['other'] } })
  expect(await codeOf(bed.start(await bed.session()))).toBe('permission_denied')
  await bed.close()
})

verifies('run.session', 'a host that closes takes no run', async () => {
  const bed = openRunBed()
  const session = await bed.session()
  await bed.close()
  expect(await codeOf(bed.start(session))).toBe('agent_unavailable')
  expect((await bed.used())?.runs ?? 0).toBe(0)
})

it('a host that closes while a run is charged takes none up, and gives the charge back', async () => {
  const under = memoryStore()
  const gate = Promise.withResolvers<void>()
  const store: Store = {
    ...under,
    async insert(collection, id, row, options) {
      const inserted = await under.insert(collection, id, row, options)
      if ((collection as unknown) === quotaRows) await gate.promise
      return inserted
    },
  }
  const bed = openRunBed({ store })
  const start = codeOf(bed.start(await bed.session()))
  await settled(4)
  expect(await bed.used()).toMatchObject({ runs: 1 })
  await bed.runs.close()
  gate.resolve()
  expect(await start).toBe('agent_unavailable')
  expect(await bed.used()).toMatchObject({ runs: 0, tokens: 0 })
  expect(await rowsOf(bed)).toEqual([])
  await bed.close()
})

const png: Attachment = { type: 'image/png', data: pictures['image/png'].toString('base64') }
const MAX = 3 * pictures['image/png'].length
it.each<[string, Attachment[][], string[]]>([
  ['as many as fit', [[png, png], [png]], ['ok', 'ok']],
  [
    'one too many',
    [
      [png, png],
      [png, png],
    ],
    ['ok', 'APP_QUOTA_EXCEEDED'],
  ],
  ['a run alone, whatever it has', [[png, png, png, png]], ['ok']],
  ['runs without images', [[png, png, png], [], []], ['ok', 'ok', 'ok']],
  [
    'images by URL, as large as they may be',
    [[png], [{ type: 'image/png', url: 'https://site.org/a' }]],
    ['ok', 'APP_QUOTA_EXCEEDED'],
  ],
])('images in memory: %s', async (_name, all, codes) => {
  const bed = openRunBed({ vision: true, limits: { RUN_IMAGES_MAX_BYTES: MAX } })
  const told: string[] = []
  for (const attachments of all) told.push(await codeOf(bed.start(await bed.session(), { attachments })))
  expect(told).toEqual(codes)
  expect((await bed.used())?.runs).toBe(codes.filter((code) => code === 'ok').length)
  await settled(8)
  for (const talk of bed.model.open()) talk.finish()
  await settled(8)
  expect(await codeOf(bed.start(await bed.session(), { attachments: [png, png] }))).toBe('ok')
  await bed.close()
})
