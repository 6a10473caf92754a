import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { devEmbedding } from './dev-images.ts'
import { devModel } from './dev-model.ts'

const asked = (text: string): LanguageModelV4CallOptions['prompt'] => [
  { role: 'user', content: [{ type: 'text', text }] },
]
const tool = { type: 'function', name: 'tool-weather__forecast', inputSchema: {} } as const

async function partsOf(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamPart[]> {
  const parts: LanguageModelV4StreamPart[] = []
  for await (const part of (await devModel().doStream(options)).stream) parts.push(part)
  return parts
}
const textOf = (parts: readonly LanguageModelV4StreamPart[]) =>
  parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')

verifies('design.dev_model', 'it says what it is, the same each time, token by token', async () => {
  const parts = await partsOf({ prompt: asked('good morning') })
  expect(textOf(parts)).toBe('[svc-dev, the development model] You said: good morning')
  expect(parts.filter((part) => part.type === 'text-delta').length).toBeGreaterThan(8)
  expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'stop' } })
  expect(await partsOf({ prompt: asked('good morning') })).toEqual(parts)
})

verifies('design.dev_model', 'it stops at the tokens that it may give', async () => {
  const parts = await partsOf({ prompt: asked('good morning'), maxOutputTokens: 3 })
  expect(textOf(parts)).toBe('[svc-dev, the')
  expect(parts.at(-1)).toMatchObject({
    finishReason: { unified: 'length' },
    usage: { inputTokens: { total: 3 }, outputTokens: { total: 3 } },
  })
})

verifies.each('design.dev_model')([
  ['/call tool-weather.forecast {"city": "Rome"}', '{"city": "Rome"}'],
  ['/call tool-weather__forecast {"city": "Rome"}', '{"city": "Rome"}'],
  ['Will it rain?\n/call tool-weather.forecast {"city": "Rome"}', '{"city": "Rome"}'],
  ['/call tool-weather.forecast', '{}'],
  ['  /call   tool-weather.forecast   {not json', '{not json'],
])('%j calls the tool', async (text, input) => {
  const parts = await partsOf({ prompt: asked(text), tools: [tool] })
  expect(parts.find((part) => part.type === 'tool-call')).toMatchObject({ toolName: tool.name, input })
  expect(textOf(parts)).toContain('the development model')
  expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'tool-calls' } })
})

verifies('design.dev_model', 'a prompt of many lines is read in one go', async () => {
  // Looked at from each line to the end, so many would take longer than a test may.
  const parts = await partsOf({ prompt: asked('\n'.repeat(1_000_000)), tools: [tool] })
  expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'stop' } })
})

verifies('design.dev_model', 'it tells what a tool answered, and that it has no other', async () => {
  const prompt: LanguageModelV4CallOptions['prompt'] = [
    ...asked('/call tool-weather.forecast'),
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call_1',
          toolName: tool.name,
          output: { type: 'json', value: { sun: true } },
        },
      ],
    },
  ]
  expect(textOf(await partsOf({ prompt, tools: [tool] }))).toBe(
    '[svc-dev, the development model] The tool answered: {"sun":true}',
  )
  expect(textOf(await partsOf({ prompt: asked('/call other.tool {}'), tools: [tool] }))).toContain(
    'I have no tool other__tool; I have: tool-weather__forecast',
  )
})

verifies('design.dev_model', 'it stops when it is given up', async () => {
  const stop = new AbortController()
  const { stream } = await devModel().doStream({ prompt: asked('hi'), abortSignal: stop.signal })
  const reader = stream.getReader()
  await reader.read()
  stop.abort(new Error('enough'))
  await expect(reader.read()).rejects.toThrow('enough')
})

verifies('design.dev_model', 'its vectors are near where words are shared, and of length 1', async () => {
  const values = ['a red house', 'the red house', 'quick brown fox', '…']
  const { embeddings } = await devEmbedding().doEmbed({ values })
  const near = (a: number, b: number) =>
    (embeddings[a] ?? []).reduce((sum, value, at) => sum + value * (embeddings[b]?.[at] ?? 0), 0)
  expect(near(0, 1)).toBeGreaterThan(near(0, 2))
  for (const at of values.keys()) expect(near(at, at)).toBeCloseTo(1)
})
