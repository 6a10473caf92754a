import { verifies } from '@svc/conformance/verifies'
import { type Attachment, limits } from '@svc/contract'
import type { Store } from '@svc/state'
import { memoryStore } from '@svc/state'
import { expect, it } from 'vitest'
import { type RunRow, runs as runRows } from '../../catalog/run-row.ts'
import { quotas as quotaRows } from '../../models/quotas/quota-row.ts'
import { pictures } from '../../testing/files.ts'
import { sayingModel } from '../../testing/run-model.ts'
import { kindsOf, openRunRoom, type RunRoomOptions, settled } from '../../testing/runs.ts'
import type { RunArgs } from './runs.ts'

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e'
const OTHER = '1f8fad5b-d9cb-469f-a165-70867728950e'

const rowsOf = async ({ store }: { store: ReturnType<typeof openRunRoom>['store'] }): Promise<RunRow[]> =>
  (await store.scan(runRows, 'bySession', { limit: 999 })).rows.map(({ row }) => row)

const codeOf = (work: Promise<unknown>) => work.then(() => 'ok').catch((error) => error.code ?? error)

verifies(
  ['run.id.idempotent', 'decision.run_id.one_execution', 'decision.quota.atomic'],
  'a hundred equal calls at once are one run, one answer and one of the quota',
  async () => {
    const room = openRunRoom({ model: sayingModel('ok'), daily: { runs_per_day: 1 } })
    const session = await room.session()
    const calls = Array.from({ length: 100 }, () => room.start(session, { run_id: ID }))
    const answers = new Set((await Promise.all(calls)).map((answer) => JSON.stringify(answer)))
    expect(answers.size).toBe(1)
    const [first] = await rowsOf(room)
    await room.ended(first?.stream_id ?? '')
    expect(room.model.talks).toHaveLength(1)
    expect(await room.used()).toMatchObject({ runs: 1, tokens: 8 })
    // The quota is full, and so is the answer still the same.
    expect(await room.start(session, { run_id: ID })).toEqual({ run_id: ID, stream_id: first?.stream_id })
    expect(await codeOf(room.start(session))).toBe('APP_QUOTA_EXCEEDED')
    expect(await rowsOf(room)).toHaveLength(1)
    await room.close()
  },
)

verifies(
  'decision.run_id.one_execution',
  'two hosts that get equal calls at once take one run, and give back what they charged for the other',
  async () => {
    const a = openRunRoom({ model: sayingModel('ok') })
    const b = openRunRoom({ store: a.store, bus: a.bus, clock: a.clock, model: sayingModel('ok') })
    const session = await a.session()
    const calls = [a, b, a, b].map((room) => room.start(session, { run_id: ID }))
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
    const room = openRunRoom({ model: sayingModel('ok') })
    const session = await room.session()
    const args = { run_id: ID, content: 'hello' }
    const first = await room.start(session, args)
    const again = room.start(session, { ...args, ...change })
    if (outcome === 'same') expect(await again).toEqual(first)
    else expect(await codeOf(again)).toBe('invalid_arg')
    await room.close()
  },
)

verifies('decision.run_id.fingerprint', 'other arguments at the same moment wait for the first', async () => {
  const room = openRunRoom({ model: sayingModel('ok') })
  const session = await room.session()
  const calls = ['a', 'b', 'a'].map((content) => codeOf(room.start(session, { run_id: ID, content })))
  expect(await Promise.all(calls)).toEqual(['ok', 'invalid_arg', 'ok'])
  await room.close()
})

verifies('run.id.idempotent', 'a run_id is of its session: elsewhere it is another run', async () => {
  const room = openRunRoom({ model: sayingModel('ok') })
  const [one, two] = [await room.session(), await room.session()]
  const a = await room.start(one, { run_id: ID })
  const b = await room.start(two, { run_id: ID })
  expect(a.stream_id).not.toBe(b.stream_id)
  await room.close()
})

verifies('run.id.idempotent', 'another window that asks again hears the frames too', async () => {
  const room = openRunRoom({ model: sayingModel('ok') })
  const session = await room.session()
  const { stream_id } = await room.start(session, { run_id: ID })
  await room.start(session, { run_id: ID })
  await room.start(session, { run_id: ID }, { windowUuid: 'win_2' })
  await room.start(session, { run_id: ID }, { windowUuid: null })
  expect(room.followed).toEqual([`win_1 ${stream_id} null`, `win_2 ${stream_id} null`])
  await room.close()
})

verifies(
  'run.id.idempotent',
  'another window that asks at the same moment hears the frames too',
  async () => {
    const room = openRunRoom({ model: sayingModel('ok') })
    const session = await room.session()
    const windows = ['win_1', 'win_2', 'win_1', null]
    const calls = windows.map((windowUuid) => room.start(session, { run_id: ID }, { windowUuid }))
    const [first, ...others] = await Promise.all(calls)
    for (const other of others) expect(other).toEqual(first)
    expect(first).toEqual({ run_id: ID, stream_id: first?.stream_id })
    expect(room.followed).toEqual([`win_1 ${first?.stream_id} null`, `win_2 ${first?.stream_id} null`])
    await room.close()
  },
)

verifies(
  'run.id.idempotent',
  'a run that was accepted is answered after its model was taken away',
  async () => {
    const room = openRunRoom({ model: sayingModel('ok') })
    const session = await room.session()
    const first = await room.start(session, { run_id: ID })
    const without = { install: { ...room.caller.install, grants: { models: ['other'] } } }
    expect(await room.start(session, { run_id: ID }, without)).toEqual(first)
    expect(await codeOf(room.start(session, { run_id: OTHER }, without))).toBe('permission_denied')
    await room.close()
  },
)

const day = { max_tokens_per_call: 100, max_runs_per_day: 1, max_concurrent_runs: 9 }
const full: readonly (readonly [string, RunRoomOptions, object, object])[] = [
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
    const room = openRunRoom(options)
    const id = await room.session(session)
    await room.start(id, { run_id: ID })
    const used = await room.used()
    await expect(room.start(id, { run_id: OTHER })).rejects.toMatchObject({
      code: 'APP_QUOTA_EXCEEDED',
      details: { quota: expect.any(String), max: expect.any(Number), hint: expect.any(String) },
    })
    expect(await rowsOf(room)).toHaveLength(1)
    expect(await room.used()).toEqual(used)
    expect((await room.sessions.find({ userId: 'ada' }, id))?.row).toMatchObject(count)
    await room.close()
  },
)

verifies(
  'decision.quota.runs',
  'of many runs at once a session takes as many as it may have, each host counting all',
  async () => {
    const a = openRunRoom()
    const b = openRunRoom({ store: a.store, bus: a.bus, clock: a.clock })
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
    const a = openRunRoom()
    const b = openRunRoom({ store: a.store, bus: a.bus, clock: a.clock })
    const session = await a.session({ caps: day })
    const codes = await Promise.all([a, b].map((room) => codeOf(room.start(session))))
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
    (room: ReturnType<typeof openRunRoom>) => room.session({ user_id: 'bob' }),
  ],
  [
    'of another app',
    'APP_SESSION_NOT_FOUND',
    (room: ReturnType<typeof openRunRoom>) => room.session({ app_id: 'app_2' }),
  ],
  [
    'that has expired',
    'APP_SESSION_EXPIRED',
    (room: ReturnType<typeof openRunRoom>) => room.session({ expires_at: room.clock.now() }),
  ],
  [
    'that was deleted',
    'APP_SESSION_REVOKED',
    async (room: ReturnType<typeof openRunRoom>) => {
      const id = await room.session()
      await room.sessions.revoke({ userId: 'ada', appId: 'app_1' }, id)
      return id
    },
  ],
] as const)('a run of a session %s is %s', async (_what, code, make) => {
  const room = openRunRoom()
  expect(await codeOf(room.start(await make(room)))).toBe(code)
  expect([await rowsOf(room), await room.used()]).toEqual([[], undefined])
  await room.close()
})

verifies(
  'session.system_prompt.length',
  'a system prompt of a run that is too long is APP_INVALID_REQUEST',
  async () => {
    const room = openRunRoom()
    const session = await room.session()
    const systemPrompt = 'x'.repeat(limits.SYSTEM_PROMPT_MAX_CHARS + 1)
    expect(await codeOf(room.start(session, { systemPrompt }))).toBe('APP_INVALID_REQUEST')
    await room.close()
  },
)

verifies('run.preferences', 'a run that may use no model is permission_denied', async () => {
  const room = openRunRoom({ grants: { models: ['other'] } })
  expect(await codeOf(room.start(await room.session()))).toBe('permission_denied')
  await room.close()
})

verifies('run.session', 'a host that closes takes no run', async () => {
  const room = openRunRoom()
  const session = await room.session()
  await room.close()
  expect(await codeOf(room.start(session))).toBe('agent_unavailable')
  expect((await room.used())?.runs ?? 0).toBe(0)
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
  const room = openRunRoom({ store })
  const start = codeOf(room.start(await room.session()))
  await settled(4)
  expect(await room.used()).toMatchObject({ runs: 1 })
  await room.runs.close()
  gate.resolve()
  expect(await start).toBe('agent_unavailable')
  expect(await room.used()).toMatchObject({ runs: 0, tokens: 0 })
  expect(await rowsOf(room)).toEqual([])
  await room.close()
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
  const room = openRunRoom({ vision: true, limits: { RUN_IMAGES_MAX_BYTES: MAX } })
  const told: string[] = []
  for (const attachments of all) told.push(await codeOf(room.start(await room.session(), { attachments })))
  expect(told).toEqual(codes)
  expect((await room.used())?.runs).toBe(codes.filter((code) => code === 'ok').length)
  await settled(8)
  for (const talk of room.model.open()) talk.finish()
  await settled(8)
  expect(await codeOf(room.start(await room.session(), { attachments: [png, png] }))).toBe('ok')
  await room.close()
})
