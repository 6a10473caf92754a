import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { openFakeTool } from '../../testing/fake-tool.ts'
import { sayingModel } from '../../testing/run-model.ts'
import { kindsOf, openRunRoom, settled, textOf } from '../../testing/runs.ts'

const said = (...texts: string[]) =>
  texts.map((text, at) => ({
    role: at % 2 ? ('assistant' as const) : ('user' as const),
    content: { type: 'text' as const, text },
  }))
const own = { userId: 'ada', appId: 'app_1', sessionUuid: null }

verifies(
  'llm.stream',
  'a stream answers the messages that it is given, without session, tools or history',
  async () => {
    const room = openRunRoom({ tools: [openFakeTool()], model: sayingModel('Hel', 'lo') })
    const { stream_id, run_id } = await room.runs.stream(room.caller, {
      messages: said('a', 'b', 'c'),
      maxTokens: 9,
    })
    const frames = await room.ended(stream_id)
    expect(kindsOf(frames)).toEqual([
      'queued',
      'started',
      'run_meta',
      'content',
      'content',
      'task_complete',
      'end',
    ])
    expect(textOf(frames)).toBe('Hello')
    expect(room.model.talks[0]?.options).toMatchObject({ maxOutputTokens: 9, prompt: [{}, {}, {}] })
    expect(room.model.talks[0]?.options.tools ?? []).toEqual([])
    await settled(2)
    expect(await room.used()).toMatchObject({ completions: 1, runs: 0, tokens: 8 })
    expect(room.followed).toEqual([`win_1 ${stream_id} null`])
    expect(await room.runs.attach(own, run_id, 0, 'win_1')).toMatchObject({ done: true, last_seq: 7 })
    await room.close()
  },
)

verifies('llm.stream', 'a stream past the quota is quota_exceeded', async () => {
  const room = openRunRoom({
    daily: { completions_per_day: 1 },
    grants: { quota_caps: { max_concurrent_runs: 1 } },
  })
  const { run_id } = await room.runs.stream(room.caller, { messages: said('a') })
  await expect(room.runs.stream(room.caller, { messages: said('a') })).rejects.toMatchObject({
    code: 'quota_exceeded',
    details: { quota: 'completions_per_day' },
  })
  expect(await room.runs.cancel({ ...own, appId: 'app_2' }, run_id)).toBe(false)
  expect(await room.runs.cancel(own, run_id)).toBe(true)
  await room.close()
  const busy = openRunRoom({ grants: { quota_caps: { max_concurrent_runs: 1 } } })
  await busy.runs.stream(busy.caller, { messages: said('a') })
  await expect(busy.runs.stream(busy.caller, { messages: said('a') })).rejects.toMatchObject({
    code: 'quota_exceeded',
    details: { quota: 'max_concurrent_runs', max: 1 },
  })
  await busy.close()
})

it('an uninstalled app has no stream under way, another app keeps its own', async () => {
  const room = openRunRoom()
  const start = (appId: string) => room.runs.stream({ ...room.caller, appId }, { messages: said('a') })
  const [mine, other] = [await start('app_1'), await start('app_2')]
  await settled(8)
  expect(room.model.open()).toHaveLength(2)
  await room.sessions.revokeAll('ada', 'app_1')
  expect(kindsOf(await room.ended(mine.stream_id)).slice(-2)).toEqual(['task_cancelled', 'end'])
  expect(room.model.open()).toHaveLength(1)
  expect(kindsOf(await room.frames(other.stream_id)).at(-1)).toBe('run_meta')
  await room.close()
})
