import type { LanguageModelV4Content, LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import type { PartReader } from './part-reader.ts'

type Block = Extract<LanguageModelV4Content, { type: 'text' | 'reasoning' }>

/** Reads the answer of a guarded model to its end. Rejects with what an `error` part holds. */
export async function collect(reader: PartReader): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4Content[] = []
  const blocks = new Map<string, Block>()
  const result: Partial<LanguageModelV4GenerateResult> = {}
  const add = (type: Block['type'], id: string, delta: string) => {
    const known = blocks.get(`${type} ${id}`)
    if (known) known.text += delta
    else {
      const block: Block = { type, text: delta }
      blocks.set(`${type} ${id}`, block)
      content.push(block)
    }
  }
  for (let parts = await reader.read(); parts !== null; parts = await reader.read())
    for (const part of parts) {
      if (part.type === 'error') throw part.error
      if (part.type === 'text-delta') add('text', part.id, part.delta)
      else if (part.type === 'reasoning-delta') add('reasoning', part.id, part.delta)
      else if (part.type === 'tool-call') content.push(part)
      else if (part.type === 'response-metadata') result.response = part
      else if (part.type === 'finish')
        Object.assign(result, { finishReason: part.finishReason, usage: part.usage })
    }
  const { finishReason, usage, response } = result
  if (!finishReason || !usage) throw new Error('a guarded stream ended without a finish')
  return { content, finishReason, usage, warnings: [], ...(response && { response }) }
}
