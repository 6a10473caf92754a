import { isUtf8 } from 'node:buffer'
import { asciiOrUtf8 } from './line-text.ts'

/** Where JSON writers put white space, the head of a reply looks like this; `jsonrpc` may be missing. */
const SPACED_HEAD =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*"result"\s*:\s*\{\s*"output"\s*:/
const SPACED_TAIL = /(?<!\s)\s*\}\s*\}\s*$/

/** How far into a line its head is looked for: an id has at most 256 characters. */
export const HEAD_BYTES = 1_024
/** Longer than any white space that an honest writer puts between the last brackets. */
const TAIL_BYTES = 16
const CLOSE = 0x7d

/** The most bytes that JSON takes to write one: an escape like \u0061. */
const ESCAPED_BYTES = 6

/** The longest line that is looked at for `bytes` of JSON; more is white space, or more JSON than that. */
export const roomFor = (bytes: number) => HEAD_BYTES + ESCAPED_BYTES * bytes

/** A payload, the JSON text it was read from, and that text's length in bytes of UTF-8. */
export interface ReadPayload {
  readonly payload: unknown
  readonly json: string
  readonly bytes: number
}

/**
 * Reads the payload of a reply without reading the reply around it, or returns nothing if the line is not written in
 * one of the common ways, or not in UTF-8.
 *
 * The text between the known head and the known tail is parsed by itself. If it is JSON, the line as a whole is
 * JSON too and holds exactly this payload, whatever a hostile plugin put inside; if it is not, the slow path
 * judges the line. So a result of 4 MiB is decoded and parsed once, and its text goes on without being written
 * again. It is cut out as bytes: parsing a slice of a long string costs a third more (measured).
 */
export function readPayload(line: Buffer, id: string): ReadPayload | undefined {
  const place = plainPlace(line, id) ?? spacedPlace(line, id)
  if (!place) return undefined
  const bytes = line.subarray(place.from, place.to)
  const { text: json, isAscii } = asciiOrUtf8(bytes)
  if (!isAscii && !isUtf8(bytes)) return undefined
  try {
    return { payload: JSON.parse(json), json, bytes: isAscii ? json.length : Buffer.byteLength(json) }
  } catch {
    return undefined
  }
}

interface Stretch {
  readonly from: number
  readonly to: number
}

/** As `JSON.stringify` writes it. */
function plainPlace(line: Buffer, id: string): Stretch | undefined {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"output":`
  const to = line.length - 2
  const matches =
    line[to] === CLOSE && line[to + 1] === CLOSE && line.toString('latin1', 0, head.length) === head
  return matches ? { from: head.length, to } : undefined
}

function spacedPlace(line: Buffer, id: string): Stretch | undefined {
  const head = SPACED_HEAD.exec(line.toString('latin1', 0, HEAD_BYTES))
  if (head?.[1] !== JSON.stringify(id)) return undefined
  const tail = SPACED_TAIL.exec(line.toString('latin1', Math.max(0, line.length - TAIL_BYTES)))
  return tail ? { from: head[0].length, to: line.length - tail[0].length } : undefined
}
