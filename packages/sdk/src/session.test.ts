import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import type { SessionOptions } from './session.ts'
import { refusal, settled } from './testing/call.ts'
import { runIdOf, runningBed, sessionBed, streamIdOf, text } from './testing/session.ts'

verifies.each(['sdk.session.handle', 'session.aliases'])<[string, SessionOptions, object]>([
  ['the arguments of create', { submode: 'fixed', fixed_client_id: 'tool-a' }, { fixed_client_id: 'tool-a' }],
  ['the aliases', { submode: 'fixed', fixedClientId: 'tool-a', system_prompt: 'p' }, {}],
  ['a label and caps', { submode: 'fixed', label: 'l', quotaCaps: { max_runs_per_day: 3 } }, {}],
  ['an id that is none', { submode: 'fixed', appSessionUuid: null, app_session_uuid: undefined }, {}],
  ['a default for its runs', { submode: 'fixed', allowedTools: ['time_now'] }, {}],
])('makes a session of %s', async (_, options) => {
  const bed = sessionBed()
  const session = await bed.sessions.session(options)
  expect(session.appSessionUuid).toBe('aps_1')
  const { appSessionUuid, app_session_uuid, allowedTools, ...args } = options as unknown as Record<
    string,
    unknown
  >
  expect(bed.seen).toEqual([{ method: 'session.create', args }])
})

verifies.each('sdk.session.handle')<[SessionOptions]>([
  [{ appSessionUuid: 'aps_9' }],
  [{ app_session_uuid: 'aps_9' }],
  [{ submode: 'auto', systemPrompt: 'p', appSessionUuid: 'aps_9' }],
])('goes on with a session that was made before: %j', async (options) => {
  const bed = sessionBed()
  const session = await bed.sessions.session(options)
  expect(bed.seen).toEqual([{ method: 'session.refresh', args: { app_session_uuid: 'aps_9' } }])
  expect(session).toMatchObject({ appSessionUuid: 'aps_9', idleTtlSeconds: 1_800 })
  expect([session.systemPrompt, session.grantedTools, session.inheritHostTools]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

it.each([
  [{ submode: 'auto' }, 'permission_denied'],
  [{ appSessionUuid: 'aps_9' }, 'APP_SESSION_EXPIRED'],
  [{ appSessionUuid: '' }, 'invalid_arg'],
] as [SessionOptions, string][])('rejects %j with what the host says: %s', async (options, code) => {
  const bed = sessionBed()
  bed.answer = () => refusal(code)
  await expect(bed.sessions.session(options)).rejects.toMatchObject({ code })
})

verifies(
  'sdk.session.handle',
  'calls with its id: run, cancel, history, refresh, delete, attach',
  async () => {
    const { bed, session, run } = await runningBed()
    expect([run.runId, run.streamId]).toEqual([runIdOf(1), streamIdOf(1)])
    expect(await session.history({ limit: 5 })).toEqual({ messages: [] })
    expect(await session.history()).toEqual({ messages: [] })
    expect(await session.cancel(run.runId)).toEqual({ cancelled: true })
    await session.attach(run.runId, { afterSeq: 2 })
    await session.refresh()
    expect(await session.delete()).toEqual({ deleted: true })
    const mine = { app_session_uuid: 'aps_1' }
    expect(bed.seen.slice(1)).toEqual([
      { method: 'session.run', args: { ...mine, content: 'hello' } },
      { method: 'session.history', args: { ...mine, limit: 5 } },
      { method: 'session.history', args: mine },
      { method: 'session.cancel', args: { ...mine, run_id: run.runId } },
      { method: 'session.attach', args: { ...mine, run_id: run.runId, after_seq: 2 } },
      { method: 'session.refresh', args: mine },
      { method: 'session.delete', args: mine },
    ])
  },
)

const attachments = [{ type: 'image/png' as const, data: 'aGk=' }]
const mine = { app_session_uuid: 'aps_1', content: 'hello' }

it.each([
  ['nothing', {}, { allowedTools: ['time_now'] }],
  ['tools of its own', { allowedTools: ['a'] }, { allowedTools: ['a'] }],
  // The host reads the argument itself before its other name.
  [
    'the same by the other name',
    { allowed_tools: ['a'] },
    { allowedTools: ['time_now'], allowed_tools: ['a'] },
  ],
  [
    'everything',
    { attachments, runId: 'r', systemPrompt: 's', recursion_limit: 2, timeoutMs: 5_000 },
    {
      attachments,
      runId: 'r',
      systemPrompt: 's',
      recursion_limit: 2,
      allowedTools: ['time_now'],
    },
  ],
])('gives a run its arguments over the defaults of the session: %s', async (_, options, args) => {
  const bed = sessionBed()
  const session = await bed.sessions.session({ submode: 'auto', allowedTools: ['time_now'] })
  await session.run('hello', options)
  expect(bed.seen.at(-1)).toEqual({ method: 'session.run', args: { ...args, ...mine } })
})

it.each([{ allowedTools: ['a'] }, { allowed_tools: ['a'] }])(
  'takes the default %j by either name',
  async (given) => {
    const bed = sessionBed()
    const session = await bed.sessions.session({ submode: 'auto', ...given })
    await session.run('hello')
    expect(bed.seen.map(({ args }) => args)).toEqual([{ submode: 'auto' }, { allowedTools: ['a'], ...mine }])
  },
)

it('rejects a run that the host refuses, and follows nothing', async () => {
  const bed = sessionBed()
  const session = await bed.sessions.session({ submode: 'auto' })
  const before = bed.left()
  bed.answer = () => refusal('APP_QUOTA_EXCEEDED')
  await expect(session.run('hello')).rejects.toMatchObject({ code: 'APP_QUOTA_EXCEEDED' })
  await expect(session.attach(runIdOf(1))).rejects.toMatchObject({ code: 'APP_QUOTA_EXCEEDED' })
  expect(bed.left()).toBe(before)
})

verifies(
  ['design.sdk.stream_text', 'design.sdk.run.reload'],
  'tells the client of models by the same handle',
  async () => {
    const bed = sessionBed()
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'hi' } }]
    const run = await bed.sessions.streamText({ messages, maxTokens: 5 })
    bed.tell(1, { event: 'queued' }, text('Hel'), text('lo'))
    const again = await bed.sessions.attachText(run.runId, { afterSeq: 2 })
    expect(await again.cancel()).toEqual({ cancelled: true })
    expect(await run.final()).toMatchObject({ text: 'Hello', aborted: true })
    expect(await again.final()).toMatchObject({ text: 'lo', aborted: true })
    const run_id = run.runId
    expect(bed.seen).toEqual([
      { method: 'stream', args: { messages, maxTokens: 5 } },
      { method: 'attach', args: { run_id, after_seq: 2 } },
      { method: 'cancel', args: { run_id } },
    ])
  },
)

it('starts nothing for a signal that had fired, or is none', async () => {
  const { bed, session, run } = await runningBed()
  const before = bed.seen.length
  for (const [signal, code] of [
    [AbortSignal.abort(), 'cancelled'],
    [{} as AbortSignal, 'invalid_arg'],
  ] as const) {
    await expect(session.run('hello', { signal })).rejects.toMatchObject({ code })
    await expect(session.attach(run.runId, { signal })).rejects.toMatchObject({ code })
  }
  expect(bed.seen).toHaveLength(before)
})

it('cancels the run at an abort, also one that came before the run had a name', async () => {
  const { bed, session } = await runningBed()
  const stop = new AbortController()
  bed.holding = 'session.run'
  const asked = session.run('hello', { signal: stop.signal })
  stop.abort()
  await bed.release()
  const run = await asked
  expect(await run.final()).toMatchObject({ text: '', aborted: true })
  const later = new AbortController()
  const other = await session.run('hello', { signal: later.signal })
  bed.tell(3, text('partial'))
  later.abort()
  expect(await other.final()).toMatchObject({ text: 'partial', aborted: true })
  await settled()
  expect([bed.count('session.cancel'), bed.left(stop.signal, later.signal)]).toEqual([2, bed.left()])
})
