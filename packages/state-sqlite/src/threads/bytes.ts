import { crc32 } from 'node:zlib'
import { above, type ByteText } from '@svc/state/driver'

/** The bytes of an encoded key or id, as SQLite compares them. */
export const bytesOf = (text: ByteText): Uint8Array => Buffer.from(text, 'latin1')

/** The same back from a column. */
export const textOf = (bytes: unknown): ByteText => Buffer.from(bytes as Uint8Array).toString('latin1')

/** From the lowest key that begins so up to the first that does not. */
export const rangeOf = (eq: ByteText): [low: Uint8Array, high: Uint8Array] => [
  bytesOf(eq),
  bytesOf(above(eq)),
]

const NO_BYTES = new Uint8Array()

/** The check sum of a text that is kept beside it, bound to the number of its write, and for a record to its id. */
export const sumOf = (text: string, seq: number, id: Uint8Array = NO_BYTES): number =>
  crc32(text, crc32(id as Uint8Array<ArrayBuffer>, seq >>> 0))
