import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { ModelFailure } from './failure.ts'
import { type GuardParts, watched } from './guard.ts'
import { persist, type Watch } from './watch.ts'

/** What an embedding model gave. */
export interface EmbedResult {
  readonly embeddings: EmbeddingModelV4Embeddings
  readonly tokens: number | undefined
}

type EmbeddingModelV4Embeddings = Awaited<ReturnType<EmbeddingModelV4['doEmbed']>>['embeddings']

/**
 * Puts an embedding model under the rules of every model (docs/decisions/0029-models-and-how-they-fail.md); more texts
 * than it takes at once go one lot after another.
 */
export function guardedEmbedder(model: EmbeddingModelV4, parts: GuardParts) {
  const { limits } = parts
  const { modelId } = model
  return {
    modelId,
    /**
     * The vectors of the texts in their order, and the tokens if the model reports them. Errors: `ModelFailure`; the
     * reason of `signal`.
     */
    embed(texts: readonly string[], signal: AbortSignal): Promise<EmbedResult> {
      return watched(modelId, parts, signal, async (watch) => {
        const lot = Math.max(1, (await model.maxEmbeddingsPerCall) || texts.length)
        const embeddings: number[][] = []
        let tokens: number | undefined = 0
        for (let at = 0; at < texts.length; at += lot) {
          const values = texts.slice(at, at + lot)
          const before = at === 0 ? 'nothing' : 'unknown'
          const lotOf = await persist(modelId, limits, watch, () => ask(watch, values), before)
          embeddings.push(...lotOf.embeddings)
          tokens = lotOf.tokens === undefined || tokens === undefined ? undefined : tokens + lotOf.tokens
        }
        return { embeddings, tokens }
      })
    },
  }

  async function ask(watch: Watch, values: string[]): Promise<EmbedResult> {
    watch.signal.throwIfAborted()
    const { embeddings, usage } = await watch.hold(model.doEmbed({ values, abortSignal: watch.signal }))
    if (embeddings.length !== values.length) throw new ModelFailure(modelId, 'malformed')
    return { embeddings, tokens: usage?.tokens }
  }
}
