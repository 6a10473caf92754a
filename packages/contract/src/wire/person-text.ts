import { jsonProblem, placeIn } from './json-problem.ts'

/** What a text or value is, or in a sentence why it cannot be read. */
export type Reading<Name extends string, Value> =
  | { readonly [Key in Name]: Value }
  | { readonly problem: string }

const SAVE = 'save it as UTF-8'
/** Byte order marks, the longer ones first. */
const marks = [
  { bytes: [0xff, 0xfe, 0, 0], name: 'UTF-32', decoder: null },
  { bytes: [0, 0, 0xfe, 0xff], name: 'UTF-32', decoder: null },
  { bytes: [0xef, 0xbb, 0xbf], name: 'UTF-8', decoder: 'utf-8' },
  { bytes: [0xff, 0xfe], name: 'UTF-16', decoder: 'utf-16le' },
  { bytes: [0xfe, 0xff], name: 'UTF-16', decoder: 'utf-16be' },
] as const

/**
 * Reads the bytes of a text that a person wrote: UTF-8, or UTF-16 with a byte order mark, which is left out. `name` is
 * what the sentence calls it: `a.json:3:5 has the byte 0xE4, which is not UTF-8; save it as UTF-8`.
 */
export function readPersonText(bytes: Uint8Array, name: string): Reading<'text', string> {
  const mark = marks.find((one) => one.bytes.every((byte, at) => bytes[at] === byte))
  if (mark?.decoder === null) return { problem: `${name} is ${mark.name}; ${SAVE}` }
  const content = bytes.subarray(mark?.bytes.length ?? 0)
  const encoding = mark?.decoder ?? 'utf-8'
  const text = decoded(content, encoding)
  if (text === null)
    return {
      problem: encoding === 'utf-8' ? strangeByte(content, name) : `${name} is not whole UTF-16; ${SAVE}`,
    }
  const nul = text.indexOf('\0')
  if (nul === -1) return { text }
  const isWide = nul < 2 && text[nul + 2] === '\0'
  return {
    problem: isWide
      ? `${name} is UTF-16 without a byte order mark; ${SAVE}`
      : `${name} is not text: it has a byte 0 in line ${placeIn(text, nul).line}`,
  }
}

/** Reads JSON that a person wrote, as text or bytes: `a.json:3:5 has a comment; JSON has none`. */
export function readPersonJson(given: string | Uint8Array, name: string): Reading<'value', unknown> {
  const read = typeof given === 'string' ? { text: given } : readPersonText(given, name)
  if ('problem' in read) return read
  const plain = read.text.replace(/^\ufeff/, '')
  const problem = jsonProblem(plain)
  if (problem === null) return { value: JSON.parse(plain) }
  const { line, column } = placeIn(plain, problem.at)
  return { problem: `${name}:${line}:${column} ${problem.what}` }
}

function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Where bytes stop to be UTF-8: there a decoder that replaces what it cannot read gives other bytes back. */
function strangeByte(bytes: Uint8Array, name: string): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const again = new TextEncoder().encode(text)
  const at = again.findIndex((byte, place) => byte !== bytes[place])
  const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, at))
  const { line, column } = placeIn(before, before.length)
  const byte = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0')
  return `${name}:${line}:${column} has the byte 0x${byte}, which is not UTF-8; ${SAVE}`
}
