const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b
const CLOSE_LIST = 0x5d
const CLOSE_OBJECT = 0x7d
const SHORT_STRING_BYTES = 64
const SHORT_TEXT_BYTES = 512

/**
 * Whether JSON text nests deeper than `max`, told before it is parsed (`JSON.parse` takes a million levels,
 * what walks the value afterwards does not). Longer text with no more than `max` opening brackets in all is
 * judged by two searches for bytes; only short or richer text is walked.
 */
export function isDeeper(bytes: Uint8Array, max: number): boolean {
  if (bytes.length > SHORT_TEXT_BYTES && brackets(bytes, max) <= max) return false
  let depth = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at + 1)
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++depth > max) return true
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
  }
  return false
}

const brackets = (bytes: Uint8Array, enough: number) =>
  occurrences(bytes, OPEN_LIST, enough) + occurrences(bytes, OPEN_OBJECT, enough)

function occurrences(bytes: Uint8Array, byte: number, enough: number): number {
  let count = 0
  for (let at = bytes.indexOf(byte); at !== -1 && count <= enough; at = bytes.indexOf(byte, at + 1)) count++
  return count
}

/** The place of the quote that closes the string begun before `from`: the next one behind an even run of backslashes. */
export function endOfString(bytes: Uint8Array, from: number): number {
  // Most strings are short, and a search that begins costs as much as looking at so many bytes.
  const near = Math.min(from + SHORT_STRING_BYTES, bytes.length)
  for (let at = from; at < near; at++) {
    if (bytes[at] === QUOTE) return at
    if (bytes[at] === BACKSLASH) at++
  }
  for (let at = bytes.indexOf(QUOTE, from); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0
    while (at - 1 - slashes >= from && bytes[at - 1 - slashes] === BACKSLASH) slashes++
    if (slashes % 2 === 0) return at
  }
  return bytes.length
}
