import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { ModelPart, PartReader, ReadableModel } from '../../models/providers/part-reader.ts'

/** Receives what a model streams, before the AI SDK does. */
export interface Listener {
  /** The model is about to be asked; a rejection keeps it from being asked. */
  onAsk(options: LanguageModelV4CallOptions): Promise<void>
  /** A part came; if it returns a promise, the next one waits for it. */
  onPart(part: ModelPart): Promise<void> | undefined
  /** The stream is over, or broke. */
  onEnd(error?: unknown): Promise<void>
}

/**
 * A model that passes on to a listener what it streams. The AI SDK's pipeline costs more for a delta than all else that
 * the host does with one, so the deltas of a block are passed to it as one, when the block ends.
 */
export function tapModel(model: ReadableModel, listener: Listener): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: model.doGenerate,
    async doStream(options) {
      await listener.onAsk(options)
      try {
        return { stream: gathered(await model.readParts(options), listener) }
      } catch (error) {
        await listener.onEnd(error)
        throw error
      }
    },
  }
}

type Delta = Extract<ModelPart, { type: 'text-delta' | 'reasoning-delta' }>

/** Blocks whose deltas are gathered, by their delta's type. */
const ends = { 'text-end': 'text-delta', 'reasoning-end': 'reasoning-delta' } as const
/** How a tool's arguments came about; the call itself holds them whole. */
const dropped: ReadonlySet<ModelPart['type']> = new Set([
  'tool-input-start',
  'tool-input-delta',
  'tool-input-end',
])

function gathered(reader: PartReader, listener: Listener): ReadableStream<ModelPart> {
  const blocks = new Map<string, Delta>()
  /** The block that is being said: mostly the next delta is of it too. */
  let current: Delta | null = null

  function gather({ type, id, delta }: Delta): void {
    if (current?.type !== type || current.id !== id) {
      const block = `${type} ${id}`
      current = blocks.get(block) ?? { type, id, delta: '' }
      blocks.set(block, current)
    }
    current.delta += delta
  }

  /** What of a part that is no delta the AI SDK gets. */
  function* pass(part: ModelPart): Generator<ModelPart> {
    if (dropped.has(part.type)) return
    if (part.type === 'text-end' || part.type === 'reasoning-end') {
      const block = `${ends[part.type]} ${part.id}`
      const said = blocks.get(block)
      blocks.delete(block)
      current = null
      if (said) yield said
    }
    // What a provider warns of is the operator's matter, and the AI SDK would print it.
    yield part.type === 'stream-start' ? { ...part, warnings: [] } : part
  }

  let isLeft = false

  /** Reads as fast as the listener takes it: what the AI SDK gets of that is little. */
  async function pump(controller: ReadableStreamDefaultController<ModelPart>): Promise<void> {
    try {
      for (let parts = await reader.read(); parts !== null; parts = await reader.read())
        for (const part of parts) {
          const wait = listener.onPart(part)
          if (wait) await wait
          if (part.type === 'finish') await listener.onEnd()
          if (part.type === 'error') await listener.onEnd(part.error)
          if (isLeft) return
          if (part.type === 'text-delta' || part.type === 'reasoning-delta') gather(part)
          else for (const passed of pass(part)) controller.enqueue(passed)
        }
      if (!isLeft) controller.close()
    } catch (error) {
      await listener.onEnd(error)
      if (!isLeft) controller.error(error)
    }
  }

  return new ReadableStream<ModelPart>({
    start(controller) {
      void pump(controller)
    },
    cancel(reason) {
      isLeft = true
      reader.cancel(reason)
    },
  })
}
