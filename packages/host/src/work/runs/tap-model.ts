import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'

/** A part of what a model streams. */
export type ModelPart = LanguageModelV4StreamPart

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
export function tapModel(model: LanguageModelV4, listener: Listener): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: model.doGenerate,
    async doStream(options) {
      await listener.onAsk(options)
      try {
        const { stream, ...rest } = await model.doStream(options)
        return { ...rest, stream: gathered(stream, listener) }
      } catch (error) {
        await listener.onEnd(error)
        throw error
      }
    },
  }
}

/** Blocks whose deltas are gathered, by their delta's type. */
const ends = { 'text-end': 'text-delta', 'reasoning-end': 'reasoning-delta' } as const
/** How a tool's arguments came about; the call itself holds them whole. */
const dropped: ReadonlySet<ModelPart['type']> = new Set([
  'tool-input-start',
  'tool-input-delta',
  'tool-input-end',
])

function gathered(stream: ReadableStream<ModelPart>, listener: Listener): ReadableStream<ModelPart> {
  const reader = stream.getReader()
  const blocks = new Map<string, string>()
  return new ReadableStream<ModelPart>(
    {
      async pull(controller) {
        try {
          for (;;) {
            const { done, value: part } = await reader.read()
            if (done) return controller.close()
            const wait = listener.onPart(part)
            if (wait) await wait
            if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
              const block = `${part.type} ${part.id}`
              blocks.set(block, (blocks.get(block) ?? '') + part.delta)
              continue
            }
            if (dropped.has(part.type)) continue
            if (part.type === 'text-end' || part.type === 'reasoning-end') {
              const type = ends[part.type]
              const delta = blocks.get(`${type} ${part.id}`)
              blocks.delete(`${type} ${part.id}`)
              if (delta !== undefined) controller.enqueue({ type, id: part.id, delta })
            }
            if (part.type === 'finish') await listener.onEnd()
            if (part.type === 'error') await listener.onEnd(part.error)
            // What a provider warns of is the operator's matter, and the AI SDK would print it.
            return controller.enqueue(part.type === 'stream-start' ? { ...part, warnings: [] } : part)
          }
        } catch (error) {
          await listener.onEnd(error)
          controller.error(error)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
