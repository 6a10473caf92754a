import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'

/** A part of what a model streams. */
export type ModelPart = LanguageModelV4StreamPart

/** Reads the stream of a model; the parts that came together are read together. */
export interface PartReader {
  /** The next parts, in order and at least one; `null`: the stream is over. Rejects with what broke it. */
  read(): Promise<readonly ModelPart[] | null>
  /** Ends the request, because of `reason`; twice is harmless. */
  cancel(reason?: unknown): void
}

/** What a model is asked. */
export interface AskOptions extends LanguageModelV4CallOptions {
  /** The oldest turns may be left out where they do not fit; called with their number before the answer. */
  readonly onDropped?: (turns: number) => void
}

/** A language model whose parts need not go through a stream of the web one by one. */
export interface ReadableModel extends LanguageModelV4 {
  /** The same as `doStream`, as a reader. */
  readParts(options: AskOptions): Promise<PartReader>
}

const isReadable = (model: LanguageModelV4): model is ReadableModel => 'readParts' in model

/** Asks any language model and returns the reader of its answer. Rejects as `doStream` does. */
export const readParts = async (
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
): Promise<PartReader> =>
  isReadable(model) ? model.readParts(options) : readerOf((await model.doStream(options)).stream)

/** Reads a stream, part by part. */
export function readerOf(stream: ReadableStream<ModelPart>): PartReader {
  const reader = stream.getReader()
  return {
    async read() {
      const { done, value } = await reader.read()
      return done ? null : [value]
    },
    // A reader that is left has nobody to tell how that went.
    cancel: (reason) => void reader.cancel(reason).catch(() => undefined),
  }
}

/** Makes a stream of what a reader reads; nothing is read before it is asked for. */
export const streamOf = (reader: PartReader): ReadableStream<ModelPart> =>
  new ReadableStream<ModelPart>(
    {
      async pull(controller) {
        const parts = await reader.read()
        if (parts === null) controller.close()
        else for (const part of parts) controller.enqueue(part)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
