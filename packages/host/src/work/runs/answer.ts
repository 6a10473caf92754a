import type { ModelPart, PartReader } from '../../models/providers/part-reader.ts'

/** Receives what a model streams; the AI SDK, where it is asked at all, gets it later. */
export interface Listener {
  /** A part came; if it returns a promise, the next one waits for it. */
  onPart(part: ModelPart): Promise<void> | undefined
  /** The stream is over, or broke. */
  onEnd(error?: unknown): Promise<void>
}

type Delta = Extract<ModelPart, { type: 'text-delta' | 'reasoning-delta' }>

/** Blocks whose deltas are gathered, by their delta's type. */
const ends = { 'text-end': 'text-delta', 'reasoning-end': 'reasoning-delta' } as const
/** How a tool's arguments came about; the call itself holds them whole. */
const dropped: ReadonlySet<ModelPart['type']> = new Set([
  'tool-input-start',
  'tool-input-delta',
  'tool-input-end',
])

/**
 * Opens an answer: reads all of it, as fast as its listener takes it. The AI SDK's pipeline costs more for a delta than
 * all else that the host does with one, so the deltas of a block are passed to it as one, when the block ends.
 */
export function openAnswer(reader: PartReader, listener: Listener) {
  const blocks = new Map<string, Delta>()
  /** The block that is being said: mostly the next delta is of it too. */
  let current: Delta | null = null
  /** What is passed on, until there is a stream for it. */
  const passed: ModelPart[] = []
  let stream: ReadableStreamDefaultController<ModelPart> | null = null
  let isLeft = false
  const isOfTalk = openTalkCheck()
  const odd = Promise.withResolvers<false>()

  function gather({ type, id, delta }: Delta): void {
    if (current?.type !== type || current.id !== id) {
      const block = `${type} ${id}`
      current = blocks.get(block) ?? { type, id, delta: '' }
      blocks.set(block, current)
    }
    current.delta += delta
  }

  /** Passes on what of a part that is no delta the AI SDK gets. */
  function pass(part: ModelPart): void {
    if (dropped.has(part.type)) return
    if (part.type === 'text-end' || part.type === 'reasoning-end') {
      const block = `${ends[part.type]} ${part.id}`
      const said = blocks.get(block)
      blocks.delete(block)
      current = null
      if (said) put(said)
    }
    // What a provider warns of is the operator's matter, and the AI SDK would print it.
    put(part.type === 'stream-start' ? { ...part, warnings: [] } : part)
  }

  function put(part: ModelPart): void {
    if (stream) stream.enqueue(part)
    else {
      passed.push(part)
      if (!isOfTalk(part)) odd.resolve(false)
    }
  }

  async function pump(): Promise<true> {
    try {
      for (let parts = await reader.read(); parts !== null; parts = await reader.read())
        for (const part of parts) {
          const wait = listener.onPart(part)
          if (wait) await wait
          if (part.type === 'finish') await listener.onEnd()
          if (part.type === 'error') await listener.onEnd(part.error)
          if (isLeft) return true
          if (part.type === 'text-delta' || part.type === 'reasoning-delta') gather(part)
          else pass(part)
        }
    } catch (error) {
      await listener.onEnd(error)
      throw error
    }
    return true
  }

  const over = pump()
  // Whoever waits for it gets what broke it.
  over.catch(() => {})

  function cancel(reason: unknown): void {
    isLeft = true
    reader.cancel(reason)
  }

  return {
    /**
     * Waits until it is over. `false`, and sooner: the model did more than talk, so that what it did is the AI SDK's to
     * judge. Rejects with what broke it.
     */
    async isTalk(): Promise<boolean> {
      const talked = await Promise.race([over, odd.promise])
      const broken = talked && passed.find(({ type }) => type === 'error')
      if (broken && broken.type === 'error') throw broken.error
      return talked
    },
    /** Reads no more of it; harmless where it is over. */
    cancel,
    /** Its parts for the AI SDK, from the first on. */
    stream: (): ReadableStream<ModelPart> =>
      new ReadableStream<ModelPart>({
        start(controller) {
          stream = controller
          for (const part of passed) controller.enqueue(part)
          over.then(
            () => !isLeft && controller.close(),
            (error) => !isLeft && controller.error(error),
          )
        },
        cancel,
      }),
  }
}

export type Answer = ReturnType<typeof openAnswer>

/** Parts of a talk, wherever they come. */
const plain: ReadonlySet<ModelPart['type']> = new Set([
  'stream-start',
  'response-metadata',
  'text-delta',
  'reasoning-delta',
  'finish',
  'error',
  'raw',
  'ping',
])

/** Opens a check of parts one by one: whether each is of text or reasoning, whose blocks end once after they began. */
function openTalkCheck(): (part: ModelPart) => boolean {
  const open = new Set<string>()
  return (part) => {
    if (part.type === 'text-start' || part.type === 'reasoning-start')
      open.add(`${part.type.replace('-start', '-delta')} ${part.id}`)
    else if (part.type === 'text-end' || part.type === 'reasoning-end')
      return open.delete(`${ends[part.type]} ${part.id}`)
    else return plain.has(part.type)
    return true
  }
}
