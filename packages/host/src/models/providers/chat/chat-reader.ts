import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import type { ModelPart, PartReader } from '../part-reader.ts'
import type { ByteReader } from './byte-reader.ts'
import { openChatEvents } from './chat-events.ts'
import { openChatParts, type PartsOptions } from './chat-parts.ts'

/** What the reader of an answer needs besides its bytes. */
export interface ReaderOptions extends PartsOptions {
  readonly clock: Clock
  readonly limits: Pick<Limits, 'MODEL_END_MS'>
}

/**
 * Reads the events of an answer as parts, in one pass: what came in one piece of bytes is read together. Bytes in which
 * nothing is said are a `ping`. Once the model has said why it ends, what follows is waited for no longer than
 * `MODEL_END_MS`: its usage, and the end, without which the connection cannot be used again.
 */
export function chatReader(bytes: ByteReader, options: ReaderOptions): PartReader {
  const { clock, limits } = options
  const decoder = new TextDecoder()
  let parts: ModelPart[] = []
  let isOver = false
  /** Unix ms until which more is waited for; `null`: until the connection ends. */
  let until: number | null = null
  const chat = openChatParts(options, (part) => void parts.push(part))
  const events = openChatEvents(chat)

  async function next(): Promise<Uint8Array | null> {
    const left = until === null ? undefined : until - clock.now()
    if (left !== undefined && left <= 0) return null
    try {
      return await bytes.read(left)
    } catch (error) {
      if (until === null) throw error
      return null
    }
  }

  function take(piece: Uint8Array): void {
    const before = parts.length
    events.feed(decoder.decode(piece, { stream: true }))
    if (chat.isEnding() && (until === null || parts.length > before))
      until = clock.now() + limits.MODEL_END_MS
    if (parts.length === 0) parts.push({ type: 'ping' })
  }

  function end(): void {
    isOver = true
    events.feed(decoder.decode())
    events.end()
    chat.end()
  }

  return {
    async read() {
      if (isOver) return null
      const piece = await next()
      if (piece) take(piece)
      else end()
      const read = parts
      parts = []
      return read
    },
    cancel: () => bytes.cancel(),
  }
}
