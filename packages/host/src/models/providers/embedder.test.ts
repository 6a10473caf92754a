import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { pino } from 'pino'
import { expect } from 'vitest'
import { openMetrics } from '../../kernel/metrics.ts'
import { devEmbedding } from './dev-images.ts'
import { guardedEmbedder } from './embedder.ts'

/** An embedder over a model that takes `atOnce` texts, tells one token a lot, and fails as `fails` says. */
function open(atOnce: number | undefined, fails?: (lot: number) => Error | null) {
  const clock = frozenClock()
  const lots: string[][] = []
  const model: EmbeddingModelV4 = {
    ...devEmbedding(),
    maxEmbeddingsPerCall: atOnce,
    async doEmbed({ values }) {
      lots.push(values)
      const error = fails?.(lots.length)
      if (error) throw error
      return { embeddings: values.map((value) => [value.length]), warnings: [], usage: { tokens: 1 } }
    },
  }
  const metrics = openMetrics({ processMetrics: false })
  const parts = { clock, limits, log: pino({ level: 'silent' }), metrics }
  return { embedder: guardedEmbedder(model, parts), lots, clock }
}
const texts = ['a', 'bb', 'ccc', 'dddd', 'eeeee']
const here = new AbortController().signal

verifies.each('llm.embed')([
  [2, [2, 2, 1]],
  [5, [5]],
  [undefined, [5]],
  [Number.POSITIVE_INFINITY, [5]],
  [0, [5]],
])('a model that takes %s texts at once is asked in lots, and the order holds', async (atOnce, sizes) => {
  const { embedder, lots, clock } = open(atOnce)
  expect(await embedder.embed(texts, here)).toEqual({
    embeddings: [[1], [2], [3], [4], [5]],
    tokens: sizes.length,
  })
  expect([lots.map((lot) => lot.length), clock.timers]).toEqual([sizes, 0])
})

verifies(
  'decision.quota.settled',
  'a later lot that reaches nobody leaves the cost of the first',
  async () => {
    const away = Object.assign(new Error('sk-secret'), { code: 'ECONNREFUSED' })
    for (const [from, cost] of [
      [1, 'nothing'],
      [2, 'unknown'],
    ] as const) {
      const { embedder, clock } = open(2, (lot) => (lot >= from ? away : null))
      const failure = embedder.embed(texts, here).catch((error: unknown) => error)
      await clock.advance(0)
      await clock.advance(limits.MODEL_RETRY_MS * 10)
      expect(await failure).toMatchObject({ reason: 'unreachable', cost })
    }
  },
)

verifies('decision.model.left', 'a caller who is gone asks for no vectors', async () => {
  const { embedder, lots, clock } = open(2)
  const gone = new Error('gone')
  await expect(embedder.embed(texts, AbortSignal.abort(gone))).rejects.toBe(gone)
  expect([lots, clock.timers]).toEqual([[], 0])
})
