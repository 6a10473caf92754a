import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ModelServices } from '../services.ts'
import { collect } from './collect.ts'
import { openFit } from './context/fit.ts'
import { ModelFailure } from './failure.ts'
import { failureOf } from './failure-of.ts'
import {
  type AskOptions,
  type ModelPart,
  type PartReader,
  type ReadableModel,
  readParts,
  streamOf,
} from './part-reader.ts'
import { openWatch, persist, type Watch } from './watch.ts'

/** What guarded models need of the host's services. */
export type GuardParts = Pick<ModelServices, 'clock' | 'limits' | 'log' | 'metrics'>

/** Parts that come before a model has begun to answer: until another comes, it may be asked again. */
const preludes: ReadonlySet<ModelPart['type']> = new Set([
  'stream-start',
  'response-metadata',
  'text-start',
  'reasoning-start',
  'raw',
  'ping',
])

/** Warnings of one model that are told. */
const WARNINGS_MAX = 100

/** Why the request of an answer is closed that was read to its end. */
const COMPLETE = 'the answer is complete'

/** An answer whose first token is there. */
interface StartedAnswer {
  /** What was read until then. */
  readonly head: readonly ModelPart[]
  readonly reader: PartReader
}

/**
 * Puts a model under the rules of docs/decisions/0029-models-and-how-they-fail.md: times, a byte cap, retries before
 * the first token alone. A failure before it rejects with a `ModelFailure`, one after it is an `error` part; a caller's
 * abort breaks the reader with its reason. However it ends, the request is closed.
 */
export function guarded(
  name: string,
  model: LanguageModelV4,
  parts: GuardParts,
  contextTokens: number | null = null,
): ReadableModel {
  const { clock, limits, log } = parts
  const { modelId } = model
  const context = openFit(modelId, limits, contextTokens, (tokens) =>
    log.warn(
      { model: name, context: tokens },
      'a model takes fewer tokens than it was asked with; it gets as many from now on',
    ),
  )
  const warned = new Set<string>()
  /** What a model warns of is the operator's matter, and told once. */
  function warn({ warnings }: Extract<ModelPart, { type: 'stream-start' }>): void {
    for (const warning of warnings) {
      const about = 'message' in warning ? warning.message : (warning.details ?? warning.feature)
      if (warned.has(about) || warned.size >= WARNINGS_MAX) continue
      warned.add(about)
      log.warn({ model: name, about }, 'a model warns')
    }
  }

  const ask = async (options: AskOptions): Promise<PartReader> => {
    const started = clock.now()
    const watch = openWatch(modelId, parts, options.abortSignal)
    const ended = (error?: unknown) => {
      // Without a reason, an abort makes one, with a stack.
      watch.end(error ?? COMPLETE)
      note(parts, name, (clock.now() - started) / 1_000, error)
    }
    try {
      const begun = await persist(modelId, limits, watch, () =>
        context.ask(options, (fitted) => begin(watch, fitted)),
      )
      return guardedReader(begun, watch, ended)
    } catch (error) {
      ended(error)
      throw error
    }
  }

  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId,
    supportedUrls: model.supportedUrls,
    readParts: ask,
    doStream: async (options) => ({ stream: streamOf(await ask(options)) }),
    doGenerate: async (options) => collect(await ask(options)),
  }

  async function begin(watch: Watch, { onDropped: _, ...options }: AskOptions): Promise<StartedAnswer> {
    watch.signal.throwIfAborted()
    const asked = readParts(model, { ...options, abortSignal: watch.signal })
    const reader = await watch.hold(asked).catch((error) => {
      throw watch.signal.aborted ? error : failureOf(modelId, error, watch.now())
    })
    const head: ModelPart[] = []
    let heard = false
    try {
      for (;;) {
        const batch = await watch.hold(reader.read())
        if (batch === null) throw new ModelFailure(modelId, heard ? 'unfinished' : 'malformed')
        head.push(...batch)
        for (const part of batch) {
          judge(part, heard)
          if (part.type === 'stream-start') warn(part)
          if (!preludes.has(part.type)) return { head, reader }
          heard ||= part.type !== 'stream-start'
        }
      }
    } catch (error) {
      reader.cancel()
      throw error
    }
  }

  /** Throws what a part says of a failure. `heard`: something came before it, so that an end is an interruption. */
  function judge(part: ModelPart, heard: boolean): void {
    if (part.type === 'error')
      throw heard && endedEarly(part.error)
        ? new ModelFailure(modelId, 'unfinished')
        : failureOf(modelId, part.error)
    if (part.type !== 'finish') return
    const { unified } = part.finishReason
    if (unified === 'interrupted') throw new ModelFailure(modelId, 'unfinished')
    if (unified === 'error') throw new ModelFailure(modelId, 'broken')
  }

  function guardedReader(
    { head, reader }: StartedAnswer,
    watch: Watch,
    ended: (error?: unknown) => void,
  ): PartReader {
    let first: readonly ModelPart[] | null = head
    let isOver = false
    let bytes = 0
    /** A call counts where it begins and where it ends: some models give only its end. */
    const calls = { 'tool-input-start': 0, 'tool-call': 0 }

    function finish(reason?: unknown): void {
      if (isOver) return
      isOver = true
      ended(reason)
      reader.cancel()
    }

    function check(part: ModelPart): void {
      judge(part, true)
      if ('delta' in part) {
        bytes += Buffer.byteLength(part.delta)
        cap(bytes, limits.MODEL_TEXT_MAX_BYTES)
      } else if (part.type === 'tool-input-start' || part.type === 'tool-call') {
        calls[part.type] += 1
        cap(calls[part.type], limits.MODEL_TOOL_CALLS_MAX)
      }
    }

    function cap(count: number, max: number): void {
      if (count > max) throw new ModelFailure(modelId, 'oversize', { max, retriable: false })
    }

    return {
      async read() {
        if (isOver) return null
        let batch: readonly ModelPart[] = []
        let at = 0
        try {
          const read = first ?? (await watch.hold(reader.read()))
          first = null
          if (read === null) throw new ModelFailure(modelId, 'unfinished')
          batch = read
          for (const part of batch) {
            check(part)
            at += 1
            if (part.type === 'finish') finish()
            if (isOver) break
          }
          return at === batch.length ? batch : batch.slice(0, at)
        } catch (error) {
          const failure = watch.signal.aborted ? watch.signal.reason : failureOf(modelId, error)
          finish(failure)
          if (failure instanceof ModelFailure)
            return [...batch.slice(0, at), { type: 'error', error: failure }]
          throw failure
        }
      },
      cancel: finish,
    }
  }
}

/** What the AI SDK's providers throw for a stream that ends without a finish. */
const endedEarly = (error: unknown) => error instanceof Error && error.name === 'AI_InvalidResponseDataError'

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
  if (!(error instanceof ModelFailure)) return
  log.warn({ model, failure: error.message, ...error.details, ...error.note }, 'a model failed')
}
