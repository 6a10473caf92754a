import { endOfString } from '@svc/contract/depth'
import { HEAD_BYTES } from './payload.ts'

const TAB = 0x09
const LINE_FEED = 0x0a
const RETURN = 0x0d
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const WHITE: ReadonlySet<number | undefined> = new Set([TAB, LINE_FEED, RETURN, SPACE])

/** What the top level of a message says about whose it is; what was not seen is missing. */
export interface Outline {
  readonly id?: unknown
  readonly method?: unknown
  /** Whether it has a result or an error. */
  readonly answers: boolean
}

/**
 * Reads the outline of a message that is not worth parsing: it nests too deep, is too long, or only its beginning is
 * at hand. Answers nothing where the bytes do not begin as an object; whether they are JSON is not told.
 */
export function outline(bytes: Buffer): Outline | undefined {
  const seen: { id?: unknown; method?: unknown; answers: boolean } = { answers: false }
  let at = 0
  let depth = 0
  let key: string | undefined
  let from = 0
  const take = (to: number) => {
    if (key === 'id' || key === 'method') seen[key] = shortValue(bytes, from, to)
    key = undefined
  }

  while (WHITE.has(bytes[at])) at++
  if (bytes[at] !== OPEN_OBJECT) return undefined
  for (; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      const end = endOfString(bytes, at + 1)
      if (depth === 1 && key === undefined)
        key = bytes.toString('latin1', at + 1, Math.min(end, at + HEAD_BYTES))
      at = end
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (depth === 1) take(at)
      depth--
    } else if (depth === 1 && byte === COMMA) take(at)
    else if (depth === 1 && byte === COLON) {
      from = at + 1
      if (key === 'result' || key === 'error') seen.answers = true
    }
  }
  return seen
}

/** A short value; of a long one, or of text that is not JSON, only that it is none of ours. */
function shortValue(bytes: Buffer, from: number, to: number): unknown {
  if (to - from > HEAD_BYTES) return null
  try {
    return JSON.parse(bytes.toString('utf8', from, to))
  } catch {
    return null
  }
}
