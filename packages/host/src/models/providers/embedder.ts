import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { ModelFailure } from './failure.ts'
import { type GuardParts, note } from './guard.ts'
import type { Embedder, EmbedResult } from './models.ts'
import { openWatch, persist } from './watch.ts'

/**
 * Puts an embedding model under the rules of every model (docs/decisions/0029-models-and-how-they-fail.md); more texts
 * than it takes at once go one lot after another.
 */
export function guardedEmbedder(model: EmbeddingModelV4, parts: GuardParts): Embedder {
  const { clock, limits } = parts
  const { modelId } = model
  return {
    modelId,
    async embed(texts, signal) {
      const started = clock.now()
      const watch = openWatch(modelId, parts, signal)
      let problem: unknown
      try {
        const lot = Math.max(1, (await model.maxEmbeddingsPerCall) || texts.length)
        const embeddings: number[][] = []
        let tokens: number | undefined = 0
        for (let at = 0; at < texts.length; at += lot) {
          const values = texts.slice(at, at + lot)
          const before = at === 0 ? 'nothing' : 'unknown'
          const lotOf = await persist(modelId, limits, watch, () => ask(values), before)
          embeddings.push(...lotOf.embeddings)
          tokens = lotOf.tokens === undefined || tokens === undefined ? undefined : tokens + lotOf.tokens
        }
        return { embeddings, tokens }
      } catch (error) {
        problem = error
        throw error
      } finally {
        watch.end(problem)
        note(parts, modelId, (clock.now() - started) / 1_000, problem)
      }

      async function ask(values: string[]): Promise<EmbedResult> {
        watch.signal.throwIfAborted()
        const { embeddings, usage } = await watch.hold(model.doEmbed({ values, abortSignal: watch.signal }))
        if (embeddings.length !== values.length) throw new ModelFailure(modelId, 'malformed')
        return { embeddings, tokens: usage?.tokens }
      }
    },
  }
}
