import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'

/** One time that the model of a test was asked; the test says what it answers. */
export interface Talk {
  readonly options: LanguageModelV4CallOptions
  /** Fires when the host gave the request up. */
  readonly signal: AbortSignal
  say(...deltas: readonly string[]): void
  call(name: string, input: string, id?: string): void
  /** Gives parts as they are. */
  give(...parts: readonly LanguageModelV4StreamPart[]): void
  /** Ends the answer; `usage` is `[input, output]` in tokens. */
  finish(reason?: 'stop' | 'length' | 'tool-calls', usage?: readonly [number, number]): void
  fail(error: unknown): void
}

/** A model that says what a test makes it say. */
export interface ScriptedModel {
  readonly model: LanguageModelV4
  /** Every time that it was asked. */
  readonly talks: Talk[]
  /** Those that have not ended and were not given up. */
  open(): Talk[]
}

/** Makes one; `answer` speaks by itself each time that it is asked. */
export function scriptedModel(answer: (talk: Talk, at: number) => void = () => {}): ScriptedModel {
  const talks: Talk[] = []
  const ended = new Set<Talk>()

  async function doStream(options: LanguageModelV4CallOptions) {
    const signal = options.abortSignal ?? new AbortController().signal
    signal.throwIfAborted()
    let controller: ReadableStreamDefaultController<LanguageModelV4StreamPart> | undefined
    let isSaying = false
    const tell = (part: LanguageModelV4StreamPart) => controller?.enqueue(part)
    const over = (work: () => void) => {
      if (ended.has(talk)) return
      ended.add(talk)
      work()
    }
    const talk: Talk = {
      options,
      signal,
      say(...deltas) {
        if (ended.has(talk)) return
        if (!isSaying) tell({ type: 'text-start', id: '0' })
        isSaying = true
        for (const delta of deltas) tell({ type: 'text-delta', id: '0', delta })
      },
      call(name, input, id = `call_${talks.indexOf(talk)}`) {
        if (!ended.has(talk)) tell({ type: 'tool-call', toolCallId: id, toolName: name, input })
      },
      give(...parts) {
        if (!ended.has(talk)) for (const part of parts) tell(part)
      },
      finish(reason = 'stop', [input, output] = [3, 5]) {
        over(() => {
          if (isSaying) tell({ type: 'text-end', id: '0' })
          tell({
            type: 'finish',
            finishReason: { unified: reason, raw: undefined },
            usage: {
              inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
              outputTokens: { total: output, text: output, reasoning: undefined },
            },
          })
          controller?.close()
        })
      },
      fail: (error) => over(() => controller?.error(error)),
    }
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      start(made) {
        controller = made
        tell({ type: 'stream-start', warnings: [{ type: 'other', message: 'a warning nobody prints' }] })
      },
    })
    signal.addEventListener('abort', () => talk.fail(signal.reason), { once: true })
    talks.push(talk)
    answer(talk, talks.length - 1)
    return { stream }
  }

  return {
    model: {
      specificationVersion: 'v4',
      provider: 'test',
      modelId: 'test-1',
      supportedUrls: {},
      doStream,
      doGenerate: async () => {
        throw new Error('runs stream')
      },
    },
    talks,
    open: () => talks.filter((talk) => !ended.has(talk) && !talk.signal.aborted),
  }
}

/** A model that says the same each time. */
export const sayingModel = (...deltas: readonly string[]): ScriptedModel =>
  scriptedModel((talk) => {
    talk.say(...deltas)
    talk.finish()
  })
