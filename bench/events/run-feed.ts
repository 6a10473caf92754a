import { atPort, openTestHost, type TestHostOptions } from '@svc/conformance/testing/host'
import type { HostOptions } from '@svc/host'
import { type Feed, limitsFor, listen, USER } from './feed.ts'

type Model = NonNullable<HostOptions['models']>['default']['model']
type Part = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer One> ? One : never

const ENDLESS = 1_000_000_000
const DAY_MS = 86_400_000

/** A model that says nothing by itself; `onRun` gets what adds a token to a run that has begun. */
const silentModel = (onRun: (say: (token: string) => void) => void): Model => ({
  specificationVersion: 'v4',
  provider: 'bench',
  modelId: 'silent-1',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('this model streams only')),
  doStream: async ({ abortSignal }) => ({
    stream: new ReadableStream<Part>({
      start(controller) {
        abortSignal?.addEventListener('abort', () => controller.error(abortSignal.reason), { once: true })
        controller.enqueue({ type: 'stream-start', warnings: [] })
        controller.enqueue({ type: 'text-start', id: '0' })
        onRun((delta) => controller.enqueue({ type: 'text-delta', id: '0', delta }))
      },
    }),
  }),
})

/** So many runs that say their tokens to so many pages, in turns, of a host in memory or on this state. Close it. */
export async function openRunFeed(
  pages: number,
  runs: number,
  state: Pick<TestHostOptions, 'store' | 'bus' | 'blobs' | 'secret' | 'user'> = {},
): Promise<Feed> {
  const says: ((token: string) => void)[] = []
  const begun = Promise.withResolvers<void>()
  const model = silentModel((say) => {
    says.push(say)
    if (says.length === runs) begun.resolve()
  })
  const testHost = await openTestHost({
    user: USER,
    ...state,
    models: { default: { model } },
    manifest: { host_api: { llm: ['stream'] } },
    grants: { models: ['default'] },
    limits: { ...limitsFor(pages), RATE_MODEL_BURST: ENDLESS, MODEL_IDLE_MS: DAY_MS, MODEL_TOTAL_MS: DAY_MS },
  })
  const window = await testHost.openWindow()
  const place = await listen(testHost, `windows=${window.windowUuid}`)
  const messages = [{ role: 'user', content: { type: 'text', text: 'hello' } }]
  for (let at = 0; at < runs; at++) {
    const reply = await window.call('llm', 'stream', { messages })
    if (!reply.ok) throw new Error(reply.error.message)
  }
  await begun.promise
  const head = `data: {"type":"rpc.stream","window_uuid":"${window.windowUuid}","stream_id":"strm_0"`
  const chunk =
    '"id":"chatcmpl-run_0","object":"chat.completion.chunk","created":1700000000,"model":"silent-1"'
  return {
    ...place,
    cookie: atPort(window.cookie, place),
    send: (seq) => says[seq % runs]?.(`#${seq}.`),
    textOf: (seq) =>
      `${head},"seq":${seq},"payload":{"event":"sse","data":{${chunk},"choices":[{"index":0,"delta":{"content":"#${seq}."},"finish_reason":null}]}},"done":false}\n\n`,
    markOf: (seq) => `#${seq}.`,
    close: testHost.close,
  }
}
