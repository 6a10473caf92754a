import { isAscii } from 'node:buffer'

/** Bytes as text; of ASCII text the length is the length in bytes. */
export interface LineText {
  readonly text: string
  readonly isAscii: boolean
}

/** The bytes of a line with Node's own methods, whose searches are several times as fast. */
export function asBuffer(line: Uint8Array): Buffer {
  return Buffer.isBuffer(line) ? line : Buffer.from(line.buffer, line.byteOffset, line.byteLength)
}

/** Decodes bytes; what is not UTF-8 becomes U+FFFD. */
export function asciiOrUtf8(bytes: Buffer): LineText {
  const plain = isAscii(bytes)
  return { text: bytes.toString(plain ? 'latin1' : 'utf8'), isAscii: plain }
}
