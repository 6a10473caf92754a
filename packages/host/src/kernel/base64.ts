import { pause } from '@svc/node'

/** The bytes of strict base64: the one text, with its padding, that they have; `null` for any other text. */
export function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}

/** Characters that are decoded before others have their turn: whole groups of four. */
const TURN_CHARS = 1_048_576

/** As `decodeBase64`, for text that may be long, or for the bytes of such a text. */
export async function decodeLongBase64(text: string | Uint8Array): Promise<Buffer | null> {
  const part = partsOf(text)
  if (text.length <= TURN_CHARS) return decodeBase64(part(0))
  const bytes = Buffer.allocUnsafeSlow(Math.ceil(text.length / 4) * 3)
  let size = 0
  for (let at = 0; at < text.length; at += TURN_CHARS) {
    const decoded = decodeBase64(part(at))
    // Padding is for the end alone.
    if (!decoded || size % 3 !== 0) return null
    size += decoded.copy(bytes, size)
    await pause()
  }
  return bytes.subarray(0, size)
}

/** Gives the part of a text from a character on. */
function partsOf(text: string | Uint8Array): (from: number) => string {
  if (typeof text === 'string') return (from) => text.slice(from, from + TURN_CHARS)
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.length)
  return (from) => bytes.toString('latin1', from, Math.min(bytes.length, from + TURN_CHARS))
}
