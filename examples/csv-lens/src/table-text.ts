/** A table as text, and how its bytes were read. */
export interface TableText {
  readonly text: string
  readonly encoding: 'UTF-8' | 'UTF-16' | 'Windows-1252'
}

/** Bytes at the start that show whether a text is UTF-16. */
const HEAD_BYTES = 256

/**
 * Reads the bytes of a table: UTF-16 by its byte order mark or its zeros, else UTF-8, else Windows-1252, as Excel
 * writes it in the west of Europe. Throws a sentence for people where they are no text.
 */
export function tableText(bytes: Uint8Array, name: string): TableText {
  const wide = wideEncoding(bytes)
  if (wide) return { text: new TextDecoder(wide).decode(bytes), encoding: 'UTF-16' }
  if (bytes.includes(0))
    throw new Error(
      `${name} is not a table of text, but a program's own format. Save it as CSV and choose that file`,
    )
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' }
  }
}

/** Which UTF-16 it is: the mark tells it, else in ASCII and most letters of Europe every other byte is zero. */
function wideEncoding(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes
  const head = bytes.subarray(0, HEAD_BYTES)
  const zeros = (place: number) => head.filter((byte, at) => byte === 0 && at % 2 === place).length
  const isWide = (place: number) => zeros(place) > head.length / 4 && zeros(1 - place) === 0
  if ((first === 0xff && second === 0xfe) || isWide(1)) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || isWide(0) ? 'utf-16be' : undefined
}
