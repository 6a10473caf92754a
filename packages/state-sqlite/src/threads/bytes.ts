import { crc32 } from 'node:zlib'
import { above, type ByteText } from '@svc/state/driver'

/** The bytes of an encoded key or id, as SQLite compares them. */
export const bytesOf = (text: ByteText): Uint8Array => Buffer.from(text, 'latin1')

/** The same back from a column. */
export const textOf = (bytes: unknown): ByteText => Buffer.from(bytes as Uint8Array).toString('latin1')

/** From the lowest key that begins so up to the first that does not. */
export const rangeOf = (eq: ByteText): [low: Uint8Array, high: Uint8Array] => [bytesOf(eq), bytesOf(above(eq))]

/** The check sum of a text that stands beside it, bound to the number of its write. */
export const sumOf = (text: string, seq: number): number => crc32(text, seq >>> 0)
