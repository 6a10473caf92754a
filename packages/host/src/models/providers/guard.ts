import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider'
import type { ModelServices } from '../services.ts'
import { collect } from './collect.ts'
import { failureOf, ModelFailure } from './failure.ts'
import { openWatch, persist, type Watch } from './watch.ts'

/** What guarded models need of the host's services. */
export type GuardParts = Pick<ModelServices, 'clock' | 'limits' | 'log' | 'metrics'>

type Part = LanguageModelV4StreamPart

/** Parts that come before a model has begun to answer: until another comes, it may be asked again. */
const preludes: ReadonlySet<Part['type']> = new Set([
  'stream-start',
  'response-metadata',
  'text-start',
  'reasoning-start',
  'raw',
  'ping',
])

/** A stream whose first token is there. */
interface StartedStream {
  readonly head: Part[]
  readonly reader: ReadableStreamDefaultReader<Part>
  readonly rest: Omit<LanguageModelV4StreamResult, 'stream'>
}

/**
 * Puts a model under the rules of docs/decisions/0029-models-and-how-they-fail.md: times, a byte cap, retries before
 * the first token alone. A failure before it rejects with a `ModelFailure`, one after it is an `error` part; a caller's
 * abort errors the stream with its reason. However it ends, the request is closed.
 */
export function guarded(name: string, model: LanguageModelV4, parts: GuardParts): LanguageModelV4 {
  const { clock, limits } = parts

  const doStream = async (options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> => {
    const started = clock.now()
    const watch = openWatch(name, parts, options.abortSignal)
    const ended = (error?: unknown) => {
      watch.end(error)
      note(parts, name, (clock.now() - started) / 1_000, error)
    }
    try {
      const begun = await persist(name, limits, watch, () => begin(watch, options))
      return { ...begun.rest, stream: streamOf(begun, watch, ended) }
    } catch (error) {
      ended(error)
      throw error
    }
  }

  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doStream,
    doGenerate: async (options) => collect((await doStream(options)).stream),
  }

  async function begin(watch: Watch, options: LanguageModelV4CallOptions): Promise<StartedStream> {
    watch.signal.throwIfAborted()
    const { stream, ...rest } = await watch.hold(model.doStream({ ...options, abortSignal: watch.signal }))
    const reader = stream.getReader()
    const head: Part[] = []
    try {
      for (;;) {
        const part = await next(
          watch,
          reader,
          head.some((one) => one.type !== 'stream-start'),
        )
        head.push(part)
        if (!preludes.has(part.type)) return { head, reader, rest }
      }
    } catch (error) {
      leave(reader)
      throw error
    }
  }

  /** The next part. `heard`: something came before it, so that an end is an interruption. */
  async function next(watch: Watch, reader: StartedStream['reader'], heard: boolean): Promise<Part> {
    const { done, value: part } = await watch.hold(reader.read())
    if (done) throw new ModelFailure(name, heard ? 'unfinished' : 'malformed')
    if (part.type === 'error')
      throw heard && endedEarly(part.error)
        ? new ModelFailure(name, 'unfinished')
        : failureOf(name, part.error)
    if (part.type === 'finish') {
      const { unified } = part.finishReason
      if (unified === 'interrupted') throw new ModelFailure(name, 'unfinished')
      if (unified === 'error') throw new ModelFailure(name, 'broken')
    }
    return part
  }

  function streamOf({ head, reader }: StartedStream, watch: Watch, ended: (error?: unknown) => void) {
    let bytes = 0
    const countBytes = (part: Part) => {
      if ('delta' in part) bytes += Buffer.byteLength(part.delta)
      if (bytes > limits.MODEL_TEXT_MAX_BYTES)
        throw new ModelFailure(name, 'oversize', { max: limits.MODEL_TEXT_MAX_BYTES, retriable: false })
    }
    return new ReadableStream<Part>(
      {
        async pull(controller) {
          try {
            const part = head.shift() ?? (await next(watch, reader, true))
            countBytes(part)
            controller.enqueue(part)
            if (part.type !== 'finish') return
            ended()
            controller.close()
          } catch (error) {
            const failure = watch.signal.aborted ? watch.signal.reason : failureOf(name, error)
            ended(failure)
            if (failure instanceof ModelFailure) {
              controller.enqueue({ type: 'error', error: failure })
              controller.close()
            } else controller.error(failure)
          }
          leave(reader)
        },
        cancel(reason) {
          ended(reason)
          leave(reader)
        },
      },
      { highWaterMark: 0 },
    )
  }
}

/** What the AI SDK's providers throw for a stream that ends without a finish. */
const endedEarly = (error: unknown) => error instanceof Error && error.name === 'AI_InvalidResponseDataError'

/** A reader that is left has nobody to tell how that went. */
const leave = (reader: StartedStream['reader']) => void reader.cancel().catch(() => undefined)

/** Does `work` under a watch over one request that is not a stream, and counts how it ended. */
export async function watched<T>(
  model: string,
  parts: GuardParts,
  signal: AbortSignal,
  work: (watch: Watch) => Promise<T>,
): Promise<T> {
  const started = parts.clock.now()
  const watch = openWatch(model, parts, signal)
  let problem: unknown
  try {
    return await work(watch)
  } catch (error) {
    problem = error
    throw error
  } finally {
    watch.end(problem)
    note(parts, model, (parts.clock.now() - started) / 1_000, problem)
  }
}

/** Counts a request; of a failure the log gets what is ours alone, for a provider's texts may repeat a key. */
function note(
  { log, metrics }: Pick<GuardParts, 'log' | 'metrics'>,
  model: string,
  seconds: number,
  error: unknown,
): void {
  const outcome = error === undefined ? 'ok' : error instanceof ModelFailure ? error.reason : 'left'
  metrics.model(model, outcome, seconds)
  if (error instanceof ModelFailure) log.warn({ model, ...error.details }, 'a model failed')
}
