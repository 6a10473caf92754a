import { devModel } from '@svc/host'

type Model = ReturnType<typeof devModel>
type Part = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer One> ? One : never

/** Tokens that an answer gives before it halts. Odd, so that the last one is a word. */
const TOKENS_BEFORE = 41

/** The development model, whose answers can be made to halt in the middle until they are told to go on. */
export interface HaltingModel {
  readonly model: Model
  /** From here on answers halt. */
  halt(): void
  /** What of an answer is there when it halts. */
  halfOf(answer: string): string
  /** Those that halted go on, and the ones to come halt no more. */
  goOn(): void
}

/** Makes one. Without it an answer of any length is over before a browser can be reloaded. */
export function haltingModel(): HaltingModel {
  const model = devModel()
  let gate: PromiseWithResolvers<void> | null = null

  const halting = () => {
    let given = 0
    return new TransformStream<Part, Part>({
      async transform(part, controller) {
        if (part.type === 'text-delta') given += 1
        if (given > TOKENS_BEFORE) await gate?.promise
        controller.enqueue(part)
      },
    })
  }

  return {
    model: {
      ...model,
      async doStream(options) {
        const { stream, ...rest } = await model.doStream(options)
        return { ...rest, stream: stream.pipeThrough(halting()) }
      },
    },
    halt() {
      gate ??= Promise.withResolvers()
    },
    halfOf: (answer) => (answer.match(/\s+|\S+/g) ?? []).slice(0, TOKENS_BEFORE).join(''),
    goOn() {
      gate?.resolve()
      gate = null
    },
  }
}
