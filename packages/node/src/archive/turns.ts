import type { Transform } from 'node:stream'
import { crc32 } from 'node:zlib'
import { pause } from '../pause.ts'

/** Bytes that are looked at, and entries that are judged, before others have their turn. */
export const TURN_BYTES = 1_048_576
export const TURN_ENTRIES = 100
/** Bytes that are unpacked at once, outside of the event loop. */
export const UNPACKED_BYTES = 262_144

const ZEROS = Buffer.alloc(TURN_BYTES)

/** Whether bytes are all 0. */
export function isZero(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += ZEROS.length) {
    const part = bytes.subarray(at, at + ZEROS.length)
    if (!part.equals(ZEROS.subarray(0, part.length))) return false
  }
  return true
}

/** As `isZero`, in turns with others. */
export async function isZeroInTurns(bytes: Buffer): Promise<boolean> {
  for (const part of parts(bytes)) {
    if (!isZero(part)) return false
    if (part.length === TURN_BYTES) await pause()
  }
  return true
}

/** The checksum of many bytes, in turns with others. */
export async function crc32InTurns(bytes: Buffer): Promise<number> {
  let sum = 0
  for (const part of parts(bytes)) {
    sum = crc32(part, sum)
    if (part.length === TURN_BYTES) await pause()
  }
  return sum
}

/** What a stream of zlib makes of packed bytes; `null`: more than `max` bytes. Rejects where they are damaged. */
export async function unpackInTurns(stream: Transform, packed: Buffer, max: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  stream.end(packed)
  for await (const chunk of stream) {
    size += chunk.length
    if (size > max) return null
    chunks.push(chunk)
  }
  return joinInTurns(chunks, size)
}

/** Many pieces of `size` bytes together in one, in turns with others: fresh memory is slow to come by. */
export async function joinInTurns(chunks: readonly Uint8Array[], size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
    if (at % TURN_BYTES < chunk.length && at < size) await pause()
  }
  return bytes
}

function* parts(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += TURN_BYTES) yield bytes.subarray(at, at + TURN_BYTES)
}
