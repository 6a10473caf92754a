const SPACE = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c
const VERTICAL_TAB = 0x0b
/** An escape like \u0061, and one like \n. */
const ESCAPE_BYTES = 6
const LETTER_BYTES = 2

/** How many bytes less than its escape `JSON.stringify` takes to write a character that is not half of a pair. */
export const spareBytes = (code: number): number => ESCAPE_BYTES - writtenBytes(code)

function writtenBytes(code: number): number {
  if (code === QUOTE || code === BACKSLASH) return LETTER_BYTES
  if (code >= SPACE) return code < 0x80 ? 1 : code < 0x800 ? 2 : 3
  return code >= 0x08 && code <= 0x0d && code !== VERTICAL_TAB ? LETTER_BYTES : ESCAPE_BYTES
}
