import { pause } from './pause.ts'

/** The bytes of strict base64: the one text, with its padding, that they have; `null` for any other text. */
export function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}

/** Characters that are decoded before others have their turn: whole groups of four. */
const TURN_CHARS = 1_048_576

/** As `decodeBase64`, for text that may be long. */
export async function decodeLongBase64(text: string): Promise<Buffer | null> {
  if (text.length <= TURN_CHARS) return decodeBase64(text)
  const bytes = Buffer.allocUnsafeSlow(Math.ceil(text.length / 4) * 3)
  let size = 0
  for (let at = 0; at < text.length; at += TURN_CHARS) {
    const part = decodeBase64(text.slice(at, at + TURN_CHARS))
    // Padding is for the end alone.
    if (!part || size % 3 !== 0) return null
    size += part.copy(bytes, size)
    await pause()
  }
  return bytes.subarray(0, size)
}
