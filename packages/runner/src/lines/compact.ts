import { pause } from '@svc/node'
import { endOfPlain } from './plain-run.ts'

const SPACE = 0x20
const QUOTE = 0x22
const SLASH = 0x2f
const BACKSLASH = 0x5c
const LETTER_U = 0x75
const LETTER_BYTES = 2
const HEX_BYTES = 6
/** Bytes that are read before others have their turn. */
const TURN_BYTES = 65_536
const HIGH = /^\\u[dD][89abAB]/
const LOW = /^\\u[dD][c-fC-F]/

/** Writes JSON text without white space and needless escapes, in turns with others: it takes so many bytes then. */
export async function compactInTurns(json: Buffer, compactBytes: number): Promise<Buffer> {
  const out = Buffer.allocUnsafe(compactBytes)
  let isText = false
  let to = 0
  for (let at = 0; at < json.length; ) {
    const turn = Math.min(at + TURN_BYTES, json.length)
    while (at < turn) {
      const byte = json[at] as number
      if (isText && byte === BACKSLASH) {
        const found = escapeAt(json, at)
        to += out.write(writtenAs(found), to)
        at += found.length
      } else if (isText && byte !== QUOTE) {
        const end = at + endOfPlain(json.subarray(at, turn), 0)
        to += json.copy(out, to, at, end)
        at = end
      } else {
        if (byte === QUOTE) isText = !isText
        // Outside of texts nothing but white space is so small.
        if (byte > SPACE) out[to++] = byte
        at += 1
      }
    }
    await pause()
  }
  return out.subarray(0, to)
}

/** An escape as it is written; two where they are one character. */
function escapeAt(json: Buffer, at: number): string {
  if (json[at + 1] !== LETTER_U) return json.toString('latin1', at, at + LETTER_BYTES)
  const both = json.toString('latin1', at, at + 2 * HEX_BYTES)
  const isPair = HIGH.test(both) && LOW.test(both.slice(HEX_BYTES))
  return isPair ? both : both.slice(0, HEX_BYTES)
}

/** As `JSON.stringify` writes what an escape stands for. */
const writtenAs = (found: string): string =>
  found.charCodeAt(1) === SLASH ? '/' : JSON.stringify(JSON.parse(`"${found}"`)).slice(1, -1)
