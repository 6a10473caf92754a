import { setTimeout as after } from 'node:timers/promises'
import { devModel } from '@svc/host'

type Model = ReturnType<typeof devModel>
type Stream = Awaited<ReturnType<Model['doStream']>>['stream']
type Part = Stream extends ReadableStream<infer One> ? One : never

/** 50 tokens a second, for longer than anything here is measured. */
const GAP_MS = 20
const TOKENS = 3_000

async function* parts(signal: AbortSignal | undefined): AsyncGenerator<Part> {
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'text-start', id: '0' }
  for (let at = 0; at < TOKENS && !signal?.aborted; at += 1) {
    yield { type: 'text-delta', id: '0', delta: ' word' }
    await after(GAP_MS)
  }
  yield { type: 'text-end', id: '0' }
  yield {
    type: 'finish',
    finishReason: { unified: 'stop', raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: TOKENS, text: TOKENS, reasoning: undefined },
    },
  }
}

/** A model that says one word after the other, as a provider does. */
export const dripModel: Model = {
  ...devModel(),
  modelId: 'drip',
  async doStream({ abortSignal }) {
    const words = parts(abortSignal)
    const stream = new ReadableStream<Part>({
      async pull(controller) {
        const { done, value } = await words.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    })
    return { stream }
  },
}
