import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { openFakeTool } from '../../testing/fake-tool.ts'
import { sayingModel } from '../../testing/run-model.ts'
import { kindsOf, openRunBed, settled, textOf } from '../../testing/runs.ts'

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
    const bed = openRunBed({ tools: [openFakeTool()], model: sayingModel('Hel', 'lo') })
    const { stream_id, run_id } = await bed.runs.stream(bed.caller, {
      messages: said('a', 'b', 'c'),
      maxTokens: 9,
    })
    const frames = await bed.ended(stream_id)
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
    expect(bed.model.talks[0]?.options).toMatchObject({ maxOutputTokens: 9, prompt: [{}, {}, {}] })
    expect(bed.model.talks[0]?.options.tools ?? []).toEqual([])
    await settled(2)
    expect(await bed.used()).toMatchObject({ completions: 1, runs: 0, tokens: 8 })
    expect(bed.followed).toEqual([`win_1 ${stream_id} null`])
    expect(await bed.runs.attach(own, run_id, 0, 'win_1')).toMatchObject({ done: true, last_seq: 7 })
    await bed.close()
  },
)

verifies('llm.stream', 'a stream past the quota is quota_exceeded', async () => {
  const bed = openRunBed({
    daily: { completions_per_day: 1 },
    grants: { quota_caps: { max_concurrent_runs: 1 } },
  })
  const { run_id } = await bed.runs.stream(bed.caller, { messages: said('a') })
  await expect(bed.runs.stream(bed.caller, { messages: said('a') })).rejects.toMatchObject({
    code: 'quota_exceeded',
    details: { quota: 'completions_per_day' },
  })
  expect(await bed.runs.cancel({ ...own, appId: 'app_2' }, run_id)).toBe(false)
  expect(await bed.runs.cancel(own, run_id)).toBe(true)
  await bed.close()
  const busy = openRunBed({ grants: { quota_caps: { max_concurrent_runs: 1 } } })
  await busy.runs.stream(busy.caller, { messages: said('a') })
  await expect(busy.runs.stream(busy.caller, { messages: said('a') })).rejects.toMatchObject({
    code: 'quota_exceeded',
    details: { quota: 'max_concurrent_runs', max: 1 },
  })
  await busy.close()
})

it('an uninstalled app has no stream under way, another app keeps its own', async () => {
  const bed = openRunBed()
  const start = (appId: string) => bed.runs.stream({ ...bed.caller, appId }, { messages: said('a') })
  const [mine, other] = [await start('app_1'), await start('app_2')]
  await settled(8)
  expect(bed.model.open()).toHaveLength(2)
  await bed.sessions.revokeAll('ada', 'app_1')
  expect(kindsOf(await bed.ended(mine.stream_id)).slice(-2)).toEqual(['task_cancelled', 'end'])
  expect(bed.model.open()).toHaveLength(1)
  expect(kindsOf(await bed.frames(other.stream_id)).at(-1)).toBe('run_meta')
  await bed.close()
})
