import { verifies } from '@svc/conformance/verifies'
import { type Frame, limits } from '@svc/contract'
import { expect } from 'vitest'
import { openFakeTool } from '../../testing/fake-tool.ts'
import { sayingModel, scriptedModel } from '../../testing/run-model.ts'
import { kindsOf, openRunBed, settled, textOf } from '../../testing/runs.ts'

const deltaOf = (frame: Frame | undefined) =>
  frame?.event === 'sse' ? frame.data.choices[0]?.delta : undefined

verifies(
  [
    'run.end',
    'session.run.result',
    'stream.status',
    'stream.seq',
    'stream.sse',
    'stream.usage',
    'stream.end',
    'design.stream.numbered',
    'run.id.fresh',
  ],
  'a run tells what becomes of it, from queued to its one end',
  async () => {
    const bed = openRunBed({ model: sayingModel('Hello', ' ', 'there') })
    const session = await bed.session()
    const started = await bed.start(session)
    expect(started).toEqual({
      stream_id: expect.stringMatching(/^strm_/),
      run_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    const frames = await bed.ended(started.stream_id)
    expect(kindsOf(frames)).toEqual([
      'queued',
      'started',
      'run_meta',
      'content',
      'content',
      'content',
      'task_complete',
      'end',
    ])
    expect(frames[2]).toEqual({
      event: 'run_meta',
      run_id: started.run_id,
      model: 'test-1',
      granted_tools: [],
    })
    expect(textOf(frames)).toBe('Hello there')
    expect(frames[3]).toEqual({
      event: 'sse',
      data: {
        id: `chatcmpl-${started.run_id}`,
        object: 'chat.completion.chunk',
        model: 'test-1',
        created: bed.clock.now() / 1_000,
        choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' }, finish_reason: null }],
      },
    })
    expect(deltaOf(frames.at(-2))).toEqual({
      task_complete: { token_usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 } },
    })
    expect(frames.at(-1)).toEqual({ event: 'end', run_id: started.run_id })
    await settled()
    expect(await bed.row(session, started.run_id)).toMatchObject({ state: 'finished', stream_closed: true })
    expect(bed.followed).toEqual([`win_1 ${started.stream_id} null`])
    await bed.close()
    expect(bed.clock.timers).toBe(0)
  },
)

verifies('stream.usage', 'an answer that was cut at its tokens ends with length', async () => {
  const bed = openRunBed({
    model: scriptedModel((talk) => {
      talk.say('so')
      talk.finish('length')
    }),
  })
  const { stream_id } = await bed.start(await bed.session())
  const last = (await bed.ended(stream_id)).at(-2)
  expect(last).toMatchObject({ data: { choices: [{ finish_reason: 'length' }] } })
  await bed.close()
})

verifies('run.preferences', 'a session gives its model its tokens, its prompt and its turn', async () => {
  const bed = openRunBed({ model: sayingModel('ok') })
  const session = await bed.session({ system_prompt: 'Be brief.' })
  await bed.ended((await bed.start(session)).stream_id)
  expect(bed.model.talks[0]?.options).toMatchObject({
    maxOutputTokens: 100,
    prompt: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'hello' }] },
    ],
  })
  await bed.close()
})

verifies('session.system_prompt.run', 'a system prompt of a run counts for that turn only', async () => {
  const bed = openRunBed({ model: sayingModel('ok') })
  const session = await bed.session({ system_prompt: 'Be brief.' })
  await bed.ended((await bed.start(session, { systemPrompt: 'Be long.' })).stream_id)
  await bed.ended((await bed.start(session)).stream_id)
  const systems = bed.model.talks.map(({ options }) => options.prompt[0]?.content)
  expect(systems).toEqual(['Be long.', 'Be brief.'])
  await bed.close()
})

verifies('run.end', 'text of any form arrives as the model wrote it', async () => {
  const odd = ['\u2028"\\\n', '😀'.slice(0, 1), '😀'.slice(1), '</script>', 'x'.repeat(40_000)]
  const bed = openRunBed({ model: sayingModel(...odd) })
  const { stream_id } = await bed.start(await bed.session())
  const frames = await bed.ended(stream_id)
  expect(textOf(frames)).toBe(odd.join(''))
  const sizes = frames.map((frame) => deltaOf(frame)?.content?.length ?? 0)
  expect(Math.max(...sizes)).toBe(limits.RUN_DELTA_MAX_CHARS)
  await bed.close()
})

verifies(
  'design.stream.keepalive',
  'a run that says nothing gives signs of life, each with its number',
  async () => {
    const bed = openRunBed()
    const session = await bed.session()
    const { stream_id } = await bed.start(session)
    const second = await bed.start(session)
    await settled(4)
    await bed.clock.advance(limits.RUN_KEEPALIVE_MS - 1)
    expect(kindsOf(await bed.frames(stream_id))).toEqual(['queued', 'started', 'run_meta'])
    await bed.clock.advance(limits.RUN_KEEPALIVE_MS + 1)
    expect(kindsOf(await bed.frames(stream_id)).slice(3)).toEqual(['keepalive', 'keepalive'])
    expect(kindsOf(await bed.frames(second.stream_id))).toEqual(['queued', 'keepalive', 'keepalive'])
    const [talk] = bed.model.open()
    talk?.say('late')
    talk?.finish()
    expect(kindsOf(await bed.ended(stream_id)).slice(5)).toEqual(['content', 'task_complete', 'end'])
    await bed.close()
  },
)

verifies('session.slide', 'a session slides at the start, each step and the end of a run', async () => {
  const idle = 30_000
  const bed = openRunBed({ tools: [openFakeTool()], limits: { AGENT_IDLE_TTL_MS: idle } })
  const session = await bed.session()
  const { stream_id } = await bed.start(session)
  await settled(4)
  const seen: number[] = []
  const look = async () => {
    const record = await bed.sessions.find({ userId: 'ada' }, session)
    seen.push((record?.row.expires_at ?? 0) - bed.clock.now())
  }
  await bed.clock.advance(idle - 1)
  await look()
  bed.model.talks[0]?.call('probe', '{}')
  bed.model.talks[0]?.finish('tool-calls')
  await settled(4)
  await look()
  await bed.clock.advance(1_000)
  bed.model.talks[1]?.finish()
  await bed.ended(stream_id)
  await look()
  expect(seen).toEqual([1, idle, idle])
  await bed.close()
})
