import { createHash } from 'node:crypto'
import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { DEV_MODEL } from './dev-model.ts'

const DIMENSIONS = 64

/**
 * The embeddings of the development model: each word points one way, a text where its words point together. Texts
 * with words in common are near each other; it knows nothing of their meaning.
 */
export function devEmbedding(): EmbeddingModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'svc',
    modelId: DEV_MODEL,
    maxEmbeddingsPerCall: undefined,
    supportsParallelCalls: true,
    async doEmbed({ values }) {
      const words = values.map((value) => value.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
      return { embeddings: words.map(vectorOf), usage: { tokens: words.flat().length }, warnings: [] }
    },
  }
}

/** The sum of the words' directions, of length 1; without a word the first axis. */
function vectorOf(words: readonly string[]): number[] {
  const sum = new Array<number>(DIMENSIONS).fill(0)
  for (const word of words) {
    const [axis = 0, sign = 0] = createHash('sha256').update(word).digest()
    const at = axis % DIMENSIONS
    sum[at] = (sum[at] ?? 0) + (sign % 2 === 0 ? 1 : -1)
  }
  const length = Math.hypot(...sum)
  if (length === 0) return sum.map((_, at) => (at === 0 ? 1 : 0))
  return sum.map((value) => value / length)
}
