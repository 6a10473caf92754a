import { isUtf8 } from 'node:buffer'
import { pause } from '@svc/node'
import { joinInTurns } from '@svc/node/archive'
import type { Payload } from '../port/runner.ts'
import { compactInTurns } from './compact.ts'
import { JsonWalk } from './json-walk.ts'
import { asciiOrUtf8, type LineText } from './line-text.ts'
import type { LongJson } from './long-line.ts'
import { spot } from './spot.ts'

/** What is decoded at once of text that is not UTF-8, which takes thirty times as long. */
const DAMAGED_TURN_BYTES = 131_072
/** What is judged at once. */
const WALKED_TURN_BYTES = 65_536

/** A result whose JSON text, without white space and needless escapes, has this many bytes: more than it may have. */
export interface TooLarge {
  readonly tooLarge: number
}

/** A result that is not UTF-8: its bytes. */
export interface Damaged {
  readonly damaged: Uint8Array
}

/**
 * Reads a payload that lies in pieces, in turns with others. It is not parsed before somebody wants its value: whoever
 * found it has judged it. One that is too long as it was written is written shorter.
 */
export async function readLong(
  { pieces, bytes, compactBytes }: LongJson,
  max: number,
): Promise<Payload | TooLarge | Damaged> {
  if (compactBytes > max) return { tooLarge: compactBytes }
  const whole = await joinInTurns(pieces, bytes)
  await pause()
  if (!isUtf8(whole)) return { damaged: whole }
  const read = await readWhole(bytes > max ? await compactInTurns(whole, compactBytes) : whole)
  return read.bytes > max ? { tooLarge: read.bytes } : read
}

/** What a payload may be. */
export interface PayloadCaps {
  /** How deep its lists and objects may nest. */
  readonly maxDepth: number
  /** How many values and names it may have. Default: any. */
  readonly maxParts?: number
}

/**
 * Reads a payload that somebody else found, in turns with others; `null`: it is not JSON, nests deeper than `maxDepth`,
 * or has more values and names than `maxParts`. It is not parsed before somebody wants its value.
 */
export async function readPayloadInTurns(
  bytes: Buffer,
  { maxDepth, maxParts = Number.POSITIVE_INFINITY }: PayloadCaps,
): Promise<Payload | null> {
  const walk = new JsonWalk(spot(), maxDepth)
  const goesOn = () => walk.state !== 'broken' && !walk.isDeep && walk.parts <= maxParts
  for (let at = 0; at < bytes.length && goesOn(); at += WALKED_TURN_BYTES) {
    walk.push(bytes.subarray(at, at + WALKED_TURN_BYTES))
    await pause()
  }
  walk.end()
  return goesOn() && walk.state === 'whole' ? readWhole(bytes) : null
}

/** Reads bytes that are JSON. */
async function readWhole(bytes: Buffer): Promise<Payload> {
  const { text: json, isAscii } = await decode(bytes)
  // What is not UTF-8 has become longer.
  const size = isAscii ? json.length : Buffer.byteLength(json)
  // Who gets it writes it at once.
  await pause()
  return payloadOf(json, size)
}

async function decode(bytes: Buffer): Promise<LineText> {
  if (isUtf8(bytes)) return asciiOrUtf8(bytes)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += DAMAGED_TURN_BYTES) {
    parts.push(decoder.decode(bytes.subarray(at, at + DAMAGED_TURN_BYTES), { stream: true }))
    await pause()
  }
  return { text: parts.join('') + decoder.decode(), isAscii: false }
}

/** A payload whose value is parsed when it is asked for. */
function payloadOf(json: string, bytes: number): Payload {
  let read: { readonly value: unknown } | undefined
  return {
    ok: true,
    get payload() {
      read ??= { value: JSON.parse(json) }
      return read.value
    },
    json,
    bytes,
  }
}
