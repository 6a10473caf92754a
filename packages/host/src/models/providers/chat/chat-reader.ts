import type { SharedV4Warning } from '@ai-sdk/provider'
import { createParser } from 'eventsource-parser'
import type { ModelPart, PartReader } from '../part-reader.ts'
import type { ByteReader } from './byte-reader.ts'
import { openChatParts } from './chat-parts.ts'

/** Characters that the parser is fed at once where lines end with carriage returns: it searches all of them for each line. */
const FED_CHARS = 4_096
/** Where the next event begins, as most servers write it. */
const EVENT_END = '\n\n'
/** Lines of unknown fields that an answer may have: each costs an error with its stack, several times what an event does. */
const STRAY_LINES_MAX = 4_096

/** Reads the events of an answer as parts, in one pass: what came in one piece of bytes is read together. */
export function chatReader(bytes: ByteReader, provider: string, warnings: SharedV4Warning[]): PartReader {
  const decoder = new TextDecoder()
  let parts: ModelPart[] = []
  let isOver = false
  /** What broke the answer in the middle of a piece; it is told behind the parts before it. */
  let broken: { readonly error: unknown } | null = null
  const chat = openChatParts(provider, warnings, (part) => void parts.push(part))
  let strayLines = 0
  /** Whether an event begins where the next text does. */
  let isBetween = false
  const parser = createParser({
    onEvent: ({ data }) => chat.event(data),
    onError() {
      strayLines += 1
      if (strayLines > STRAY_LINES_MAX) throw new Error('the answer is not a stream of events')
    },
  })

  function feed(text: string): void {
    if (!text.includes('\r')) {
      feedLines(text)
      return
    }
    isBetween = false
    for (let at = 0; at < text.length; at += FED_CHARS) parser.feed(text.slice(at, at + FED_CHARS))
  }

  function feedLines(text: string): void {
    for (let at = 0; at < text.length; ) {
      if (isBetween) at = chat.alike.read(text, at)
      const end = chat.alike.isOpen() ? text.indexOf(EVENT_END, at) : -1
      const next = end === -1 ? text.length : end + EVENT_END.length
      if (next > at) {
        parser.feed(text.slice(at, next))
        isBetween = end !== -1
      }
      at = next
    }
  }

  function take(piece: Uint8Array | null): void {
    try {
      feed(piece ? decoder.decode(piece, { stream: true }) : decoder.decode())
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
