import type { SharedV4Warning } from '@ai-sdk/provider'
import { createParser } from 'eventsource-parser'
import type { ModelPart, PartReader } from '../part-reader.ts'
import type { ByteReader } from './byte-reader.ts'
import { openChatParts } from './chat-parts.ts'

/** Reads the events of an answer as parts, in one pass: what came in one piece of bytes is read together. */
export function chatReader(bytes: ByteReader, provider: string, warnings: SharedV4Warning[]): PartReader {
  const decoder = new TextDecoder()
  let parts: ModelPart[] = []
  let isOver = false
  /** What broke the answer in the middle of a piece; it is told behind the parts before it. */
  let broken: { readonly error: unknown } | null = null
  const chat = openChatParts(provider, warnings, (part) => void parts.push(part))
  const parser = createParser({ onEvent: ({ data }) => chat.event(data) })

  function take(piece: Uint8Array | null): void {
    try {
      parser.feed(piece ? decoder.decode(piece, { stream: true }) : decoder.decode())
      if (piece === null) chat.end()
    } catch (error) {
      broken = { error }
    }
  }

  return {
    async read() {
      do {
        if (broken) throw broken.error
        if (isOver) return null
        const piece = await bytes.read()
        isOver = piece === null
        take(piece)
      } while (parts.length === 0)
      const read = parts
      parts = []
      return read
    },
    cancel: () => bytes.cancel(),
  }
}
