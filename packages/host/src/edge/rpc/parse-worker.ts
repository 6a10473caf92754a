/** A body that another thread parses, and what it may be. */
export interface ParseOrder {
  readonly bytes: ArrayBuffer
  /** So many of the bytes are the body. */
  readonly size: number
  readonly maxDepth: number
  readonly maxParts: number
  readonly maxTextBytes: number
  readonly maxNameBytes: number
}

/** What is wrong with a body. */
export type Problem = 'utf8' | 'list' | 'depth' | 'parts' | 'text' | 'name' | 'json'

/** A long text of a parsed body, in the bytes of its characters: these change hands between threads without a copy. */
export interface LongText {
  readonly holder: object
  readonly key: string
  readonly bytes: ArrayBuffer
  /** Two bytes a character, or one. */
  readonly isWide: boolean
}

/** A parsed body, with its long texts in a list of their own, or why there is none. */
export type ParseResult =
  | { readonly problem: Problem }
  | { readonly value: unknown; readonly long: readonly LongText[] }

/**
 * Parses a body. The bytes show how deep they nest and how many parts they have: what is too much of either is never
 * parsed. Whole in itself, because the thread is given its text: it names nothing from outside.
 */
export function parseBody(given: ParseOrder): ParseResult {
  const { maxDepth, maxParts, maxTextBytes, maxNameBytes } = given
  const LONG_CHARS = 4_096
  const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c]
  const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
  const { Buffer, isUtf8 } = process.getBuiltinModule('node:buffer')
  const body = Buffer.from(given.bytes, 0, given.size)

  function endOfText(from: number): number {
    for (let at = body.indexOf(QUOTE, from); at !== -1; at = body.indexOf(QUOTE, at + 1)) {
      let slashes = 0
      while (body[at - 1 - slashes] === BACKSLASH) slashes++
      if (slashes % 2 === 0) return at
    }
    return body.length
  }

  function findProblem(): Problem | null {
    let depth = 0
    let parts = 0
    let textBytes = 0
    for (let at = 0; at < body.length; at++) {
      const byte = body[at]
      if (byte === QUOTE) {
        const end = endOfText(at + 1)
        textBytes = end - at - 1
        if (textBytes > maxTextBytes) return 'text'
        at = end
        parts++
      } else if (byte === COLON) {
        if (textBytes > maxNameBytes) return 'name'
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        if (byte === OPEN_LIST && parts === 0) return 'list'
        parts++
        if (++depth > maxDepth) return 'depth'
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
      else if (byte === COMMA) parts++
      if (parts > maxParts) return 'parts'
    }
    return null
  }

  if (!isUtf8(body)) return { problem: 'utf8' }
  const problem = findProblem()
  if (problem !== null) return { problem }
  const long: LongText[] = []
  function extractLong(this: object, key: string, value: unknown): unknown {
    if (typeof value !== 'string' || value.length <= LONG_CHARS) return value
    const isWide = /[^\0-\xff]/.test(value)
    const text = Buffer.allocUnsafeSlow(isWide ? 2 * value.length : value.length)
    text.write(value, isWide ? 'utf16le' : 'latin1')
    long.push({ holder: this, key, bytes: text.buffer, isWide })
    return ''
  }
  const text = body.toString('utf8')
  // The bytes go before their values come.
  given.bytes.transfer(0)
  try {
    return { value: JSON.parse(text, extractLong), long }
  } catch {
    return { problem: 'json' }
  }
}
