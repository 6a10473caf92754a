import { expect, it } from 'vitest'
import { scriptedModel } from '../../../testing/run-model.ts'
import type { ModelPart } from '../part-reader.ts'
import { bordered } from './bordered.ts'

const NAME = 'pub.site__read'
const tool = { type: 'function', name: NAME, inputSchema: { $schema: 'x' } } as const
const options = {
  prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }],
  tools: [tool],
  toolChoice: { type: 'tool' as const, toolName: NAME },
}

it('a tool is offered by a name that servers take, and called by its own', async () => {
  const model = scriptedModel((talk) => {
    const name = talk.options.tools?.[0]?.name ?? ''
    talk.give({ type: 'tool-input-start', id: '1', toolName: name })
    talk.call(name, '{}', '1')
    talk.call('made_up', '{}', '2')
    talk.finish('tool-calls')
  })
  const { stream } = await bordered(model.model).doStream(options)
  const parts: ModelPart[] = []
  for await (const part of stream) parts.push(part)
  expect(parts.flatMap((part) => ('toolName' in part ? part.toolName : []))).toEqual([NAME, NAME, 'made_up'])
  const { tools, toolChoice } = model.talks[0]?.options ?? {}
  const name = tools?.[0]?.name
  expect(name).toMatch(/^t\w{8}_pub_site__read$/)
  expect(tools).toMatchObject([{ inputSchema: { type: 'object', properties: {} } }])
  expect(toolChoice).toEqual({ type: 'tool', toolName: name })
})

it('a tool is offered by its short name, and called by its own', async () => {
  const own = `tool-${'a'.repeat(32)}__read`
  const model = scriptedModel((talk) => {
    talk.call(talk.options.tools?.[0]?.name ?? '', '{}', '1')
    talk.finish('tool-calls')
  })
  const short = { ...tool, name: own, providerOptions: { svc: { short: 'fs__read' } } }
  const { stream } = await bordered(model.model).doStream({ prompt: options.prompt, tools: [short] })
  const parts: ModelPart[] = []
  for await (const part of stream) parts.push(part)
  expect(model.talks[0]?.options.tools?.[0]?.name).toBe('fs__read')
  expect(parts.flatMap((part) => ('toolName' in part ? part.toolName : []))).toEqual([own])
})
