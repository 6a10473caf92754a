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

/** The check sum of a record, which is kept beside it: of its text, its revision and its id. */
export const recordSum = (body: string, revision: number, id: Uint8Array): number =>
  crc32(body, crc32(id as Uint8Array<ArrayBuffer>, revision >>> 0))

/** The check sum of an item of a journal: of its text and its number. */
export const itemSum = (item: string, seq: number): number => crc32(item, seq >>> 0)
