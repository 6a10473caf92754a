import { openTestHost, type TestWindow } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { type Frame, limits } from '@svc/contract'
import { systemClock } from '@svc/node'
import { memoryBus } from '@svc/state'
import { expect } from 'vitest'
import { frameJournal } from '../../catalog/run-row.ts'
import { isEnd } from '../../events/view.ts'
import { kindsOf, textOf } from '../../testing/runs.ts'

const host_api = { agent: { session: { auto: true } }, llm: ['complete', 'stream'] }

/** A whole host with the development model, and an open window of an app that may do all of this. */
async function open() {
  const bus = memoryBus({ clock: systemClock })
  const services = await openTestHost({
    bus,
    secret: 's'.repeat(32),
    manifest: { host_api },
  })
  const window = await services.openWindow()
  const ended = async (streamId: string): Promise<Frame[]> => {
    for await (const { items } of bus.journal.follow(frameJournal(streamId), 0))
      if (items.some(({ item }) => isEnd(item))) break
    const { items } = await bus.journal.read(frameJournal(streamId), 0)
    return items.map(({ item }) => JSON.parse(item))
  }
  return { ...services, window, ended }
}

async function answerOf<T>(window: TestWindow, ns: string, method: string, args: object): Promise<T> {
  const answer = await window.call(ns, method, args)
  if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`)
  return answer.result as T
}

verifies(
  ['session.run.result', 'session.history.result', 'run.end', 'llm.stream'],
  'an app talks to the development model, by sessions and by streams',
  async () => {
    const { window, ended, close } = await open()
    const { app_session_uuid } = await answerOf<{ app_session_uuid: string }>(
      window,
      'agent',
      'session.create',
      {
        submode: 'auto',
      },
    )
    const run = await answerOf<{ stream_id: string; run_id: string }>(window, 'agent', 'session.run', {
      app_session_uuid,
      content: 'hello',
    })
    const frames = await ended(run.stream_id)
    expect(textOf(frames)).toBe('[svc-dev, the development model] You said: hello')
    expect([kindsOf(frames).slice(0, 3), kindsOf(frames).slice(-2)]).toEqual([
      ['queued', 'started', 'run_meta'],
      ['task_complete', 'end'],
    ])
    expect(await answerOf(window, 'agent', 'session.history', { app_session_uuid })).toEqual({
      messages: [
        { role: 'user', content: 'hello', run_id: run.run_id },
        { role: 'assistant', content: textOf(frames), run_id: run.run_id },
      ],
    })
    expect(
      await answerOf(window, 'agent', 'session.cancel', { app_session_uuid, run_id: run.run_id }),
    ).toEqual({
      cancelled: false,
    })
    const messages = [{ role: 'user', content: { type: 'text', text: 'hi' } }]
    const stream = await answerOf<{ stream_id: string; run_id: string }>(window, 'llm', 'stream', {
      messages,
    })
    expect(textOf(await ended(stream.stream_id))).toBe('[svc-dev, the development model] You said: hi')
    expect(await answerOf(window, 'llm', 'attach', { run_id: stream.run_id })).toMatchObject(stream)
    expect(await answerOf(window, 'llm', 'cancel', { run_id: stream.run_id })).toEqual({ cancelled: false })
    await close()
  },
)

const fine = { app_session_uuid: 'aps_x', content: 'hello' }
verifies.each(['run.args.uuid', 'run.args.content', 'run.recursion_limit', 'run.id.fresh'])([
  ['no session', { content: 'x' }, 'app_session_uuid'],
  ['a session that is not text', { ...fine, app_session_uuid: 1 }, 'app_session_uuid'],
  ['a session of another form', { ...fine, app_session_uuid: 'ses_x' }, 'app_session_uuid'],
  ['no content', { app_session_uuid: 'aps_x' }, 'content'],
  ['content that is not text', { ...fine, content: ['x'] }, 'content'],
  ['content without characters', { ...fine, content: '' }, 'content'],
  ['content of white space', { ...fine, content: ' \n\t\u200b' }, 'content'],
  ['content that is too long', { ...fine, content: 'x'.repeat(limits.RUN_CONTENT_MAX_CHARS + 1) }, 'content'],
  ['a run_id that is not a uuid', { ...fine, run_id: 'x' }, 'run_id'],
  ['no steps', { ...fine, recursion_limit: 0 }, 'recursion_limit'],
  ['half a step', { ...fine, recursion_limit: 1.5 }, 'recursion_limit'],
  ['too many steps', { ...fine, recursion_limit: limits.RECURSION_LIMIT_MAX + 1 }, 'recursion_limit'],
])('a run with %s is invalid_arg', async (_what, args, named) => {
  const { window, close } = await open()
  const answer = await window.call('agent', 'session.run', args)
  expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_arg' } })
  expect(JSON.stringify(answer)).toContain(named)
  await close()
})

verifies('run.id.idempotent', 'letters of either case name the same run', async () => {
  const { window, ended, close } = await open()
  const { app_session_uuid } = await answerOf<{ app_session_uuid: string }>(
    window,
    'agent',
    'session.create',
    {
      submode: 'auto',
    },
  )
  const ask = (run_id: string) =>
    answerOf<{ stream_id: string }>(window, 'agent', 'session.run', {
      app_session_uuid,
      content: 'x',
      run_id,
    })
  const small = await ask('0f8fad5b-d9cb-469f-a165-70867728950e')
  expect(await ask('0F8FAD5B-D9CB-469F-A165-70867728950E')).toEqual(small)
  await ended(small.stream_id)
  await close()
})
