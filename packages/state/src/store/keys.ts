import type { Key, KeyPart } from './port.ts'

/**
 * Bytes as text: each character is one byte (U+0000 to U+00FF), so `<` compares as PostgreSQL compares `bytea`,
 * and `Buffer.from(bytes, 'latin1')` gives them as they are.
 */
export type ByteText = string

/** The first byte of a part tells its type; the types are ordered by it. 0x00 and 0x01 are free for the escapes. */
const TAG = { null: '\x03', boolean: '\x04', number: '\x05', string: '\x06' } as const

/** Stands between a key and the id of its record. Below every part, or an id would stand among the longer keys. */
const KEY_END: ByteText = '\x02'

/** Above every key: no part begins with this byte. */
const TOP: ByteText = '\xff'

const scratch = new DataView(new ArrayBuffer(8))

/** The IEEE bits, big-endian; a positive number gets its sign bit set, a negative one all its bits turned. */
function numberBytes(value: number): ByteText {
  if (Number.isNaN(value)) throw new TypeError('a key part must be a number that has an order, got NaN')
  scratch.setFloat64(0, value === 0 ? 0 : value)
  const high = scratch.getUint32(0)
  const negative = high > 0x7fffffff
  scratch.setUint32(0, negative ? ~high : high ^ 0x80000000)
  if (negative) scratch.setUint32(4, ~scratch.getUint32(4))
  let bytes = ''
  for (let i = 0; i < 8; i++) bytes += String.fromCharCode(scratch.getUint8(i))
  return bytes
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const PLAIN = /^[\x02-\x7f]*$/

/**
 * Every UTF-16 code unit by itself in the manner of UTF-8, so that bytes order as `<` orders text in JavaScript
 * and begin as `startsWith` says, lone surrogates included. 0 becomes 1 1 and 1 becomes 1 2: a byte 0 ends a text.
 */
function textBytes(text: string): ByteText {
  if (PLAIN.test(text)) return text
  let bytes = ''
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 2) bytes += unit === 0 ? '\x01\x01' : '\x01\x02'
    else if (unit < 0x80) bytes += text[i]
    else if (unit < 0x800) bytes += String.fromCharCode(0xc0 | (unit >> 6), 0x80 | (unit & 0x3f))
    else bytes += String.fromCharCode(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f))
  }
  return bytes
}

function numberOf(bytes: ByteText): number {
  for (let i = 0; i < 8; i++) scratch.setUint8(i, bytes.charCodeAt(i))
  const negative = scratch.getUint8(0) < 0x80
  for (let i = 0; i < 8; i++) {
    const byte = scratch.getUint8(i)
    if (negative) scratch.setUint8(i, ~byte)
    else if (i === 0) scratch.setUint8(0, byte ^ 0x80)
  }
  return scratch.getFloat64(0)
}

function textOf(bytes: ByteText): string {
  if (PLAIN.test(bytes)) return bytes
  let text = ''
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes.charCodeAt(i)
    const next = (ahead: number) => bytes.charCodeAt(i + ahead) & 0x3f
    if (byte === 1) {
      text += bytes.charCodeAt(i + 1) === 1 ? '\x00' : '\x01'
      i += 1
    } else if (byte < 0x80) text += bytes[i]
    else if (byte < 0xe0) {
      text += String.fromCharCode(((byte & 0x1f) << 6) | next(1))
      i += 1
    } else {
      text += String.fromCharCode(((byte & 0x0f) << 12) | (next(1) << 6) | next(2))
      i += 2
    }
  }
  return text
}

/** Encodes one part; what follows it in a key never changes where it stands. Throws `TypeError` for NaN. */
export function encodePart(part: KeyPart): ByteText {
  if (part === null) return TAG.null
  if (typeof part === 'boolean') return TAG.boolean + (part ? '\x01' : '\x00')
  if (typeof part === 'number') return TAG.number + numberBytes(part)
  return `${TAG.string}${textBytes(part)}\x00`
}

/** Encodes a key: keys order as their bytes do, and the bytes of leading parts begin the bytes of the whole. */
export function encodeKey(key: Key): ByteText {
  let bytes = ''
  for (const part of key) bytes += encodePart(part)
  return bytes
}

/** Encodes an entry of an index: entries order by their keys, and equal keys by the ids of their records. */
export const encodeEntry = (key: Key, id: string): ByteText => encodeKey(key) + KEY_END + encodePart(id)

/** How many bytes the part takes that begins at `at`. */
function partLength(bytes: ByteText, at: number): number {
  switch (bytes[at]) {
    case TAG.null:
      return 1
    case TAG.boolean:
      return 2
    case TAG.number:
      return 9
    default:
      return bytes.indexOf('\x00', at) + 1 - at
  }
}

/** Where each part of the key of an entry ends, the first first. */
export function partEnds(entry: ByteText): number[] {
  const ends: number[] = []
  for (let at = 0; entry[at] !== KEY_END; ) {
    at += partLength(entry, at)
    ends.push(at)
  }
  return ends
}

/** Reads one part back. */
export function decodePart(bytes: ByteText): KeyPart {
  switch (bytes[0]) {
    case TAG.null:
      return null
    case TAG.boolean:
      return bytes[1] === '\x01'
    case TAG.number:
      return numberOf(bytes.slice(1))
    default:
      return textOf(bytes.slice(1, -1))
  }
}

const KINDS = ['boolean', 'number', 'string']

/** Orders parts as their encodings do: below 0 where `a` comes first. */
function compareParts(a: KeyPart, b: KeyPart): number {
  if (a === b) return 0
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : 1
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return KINDS.indexOf(typeof a) - KINDS.indexOf(typeof b) || Number(a) - Number(b)
}

/**
 * Orders keys as their encodings do, by at most so many of their leading parts: below 0 where `a` comes first. `same`:
 * so many of them are known to be the same.
 */
export function compareKeys(a: Key, b: Key, parts = a.length + 1, same = 0): number {
  for (let at = same; at < parts; at++) {
    if (at === a.length || at === b.length) return a.length - b.length
    const order = compareParts(a[at] as KeyPart, b[at] as KeyPart)
    if (order !== 0) return order
  }
  return 0
}

/** Encodes how the texts begin that begin with `prefix`. */
export const encodePrefix = (prefix: string): ByteText => TAG.string + textBytes(prefix)

/** Encodes the type of a part: what begins every part of that type. */
export const encodeKind = (part: KeyPart): ByteText =>
  part === null ? TAG.null : TAG[typeof part as 'string' | 'number' | 'boolean']

/** The lowest bytes above everything that begins with `bytes`. */
export function above(bytes: ByteText): ByteText {
  if (bytes === '') return TOP
  let end = bytes.length
  while (bytes.charCodeAt(end - 1) === 0xff) end--
  return bytes.slice(0, end - 1) + String.fromCharCode(bytes.charCodeAt(end - 1) + 1)
}
