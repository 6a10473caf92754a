import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifies } from '@svc/conformance/verifies'
import type { Frame } from '@svc/contract'
import OpenAI from 'openai'
import { expect } from 'vitest'
import { openFakeTool } from '../../testing/fake-tool.ts'
import { sayingModel, scriptedModel } from '../../testing/run-model.ts'
import { openRunBed, type RunBedOptions, settled, textOf } from '../../testing/runs.ts'

/** Serves the chunks of a run as an OpenAI-style server would, and asks the client of that name for them. */
async function askFor(frames: readonly Frame[]) {
  const server = createServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const frame of frames)
      if (frame.event === 'sse') res.write(`data: ${JSON.stringify(frame.data)}\n\n`)
    res.end('data: [DONE]\n\n')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = new OpenAI({ apiKey: 'none', baseURL: `http://127.0.0.1:${port}/v1`, maxRetries: 0 })
  const asked = { model: 'any', messages: [{ role: 'user', content: 'hi' }] } as const
  try {
    const texts: string[] = []
    const chunks = await client.chat.completions.create({
      ...asked,
      messages: [...asked.messages],
      stream: true,
    })
    for await (const chunk of chunks) texts.push(chunk.choices[0]?.delta.content ?? '')
    const gathered = await client.chat.completions
      .stream({ ...asked, messages: [...asked.messages] })
      .finalChatCompletion()
    return { text: texts.join(''), choice: gathered.choices[0], id: gathered.id }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function play(options: RunBedOptions, isCancelled = false) {
  const bed = openRunBed(options)
  const session = await bed.session()
  const { stream_id, run_id } = await bed.start(session)
  if (isCancelled) {
    await settled(6)
    bed.model.open()[0]?.say('half')
    await settled(2)
    await bed.cancel(session, run_id)
  }
  const frames = await bed.ended(stream_id)
  await bed.close()
  return { frames, run_id }
}

const words = ['Hello', ' 😀'.slice(0, 2), ' 😀'.slice(2), '\n\n"quoted"\u2028', 'data: [DONE]']

verifies(
  ['design.stream.openai', 'stream.sse'],
  'the client reads the text of a run as it was said',
  async () => {
    const { frames, run_id } = await play({ model: sayingModel(...words) })
    const { text, choice, id } = await askFor(frames)
    expect([text, choice?.message.content]).toEqual([words.join(''), textOf(frames)])
    expect([choice?.finish_reason, choice?.message.role, id]).toEqual([
      'stop',
      'assistant',
      `chatcmpl-${run_id}`,
    ])
    expect(choice?.message).toMatchObject({ task_complete: { token_usage: { total_tokens: 8 } } })
  },
)

verifies('design.stream.openai', 'the client tells the tool calls of all steps apart', async () => {
  const model = scriptedModel((talk, at) => {
    if (at === 2) talk.say('done')
    else for (const call of ['x', 'y']) talk.call('probe', `{"q":"${call}${at}"}`, `c${call}${at}`)
    talk.finish(at === 2 ? 'stop' : 'tool-calls')
  })
  const { frames } = await play({ model, tools: [openFakeTool()] })
  const { choice } = await askFor(frames)
  expect(
    choice?.message.tool_calls?.map((call) => [call.id, call.type === 'function' && call.function]),
  ).toMatchObject([
    ['cx0', { name: 'probe', arguments: '{"q":"x0"}' }],
    ['cy0', { name: 'probe', arguments: '{"q":"y0"}' }],
    ['cx1', { name: 'probe', arguments: '{"q":"x1"}' }],
    ['cy1', { name: 'probe', arguments: '{"q":"y1"}' }],
  ])
  expect(choice?.message.content).toBe('done')
})

verifies('design.stream.openai', 'the client takes a run that was cancelled', async () => {
  const { frames } = await play({}, true)
  const { text, choice } = await askFor(frames)
  expect([text, choice?.finish_reason]).toEqual(['half', 'stop'])
  expect(choice?.message).toMatchObject({ task_cancelled: true })
})
