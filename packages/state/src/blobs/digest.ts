import { createHash } from 'node:crypto'
import { pause } from '@svc/node'

/** What is hashed before others have their turn. */
const TURN_BYTES = 1_048_576

/** The name of some bytes: their SHA-256, 64 lower-case hex digits. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The same of many bytes, in turns with others. */
export async function digestInTurns(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += TURN_BYTES) {
    if (at > 0) await pause()
    hash.update(bytes.subarray(at, at + TURN_BYTES))
  }
  return hash.digest('hex')
}

/** Bytes whose memory nothing shares; until TypeScript 5.7 `Uint8Array` takes no type for that. */
export type OwnBytes = Uint8Array & {
  /** Their memory. */
  readonly buffer: ArrayBuffer
}

/** A copy of many bytes, in turns with others: fresh memory is slow to come by. */
export async function copyInTurns(bytes: Uint8Array): Promise<OwnBytes> {
  const copy = new Uint8Array(bytes.length)
  for (let at = 0; at < bytes.length; at += TURN_BYTES) {
    if (at > 0) await pause()
    copy.set(bytes.subarray(at, at + TURN_BYTES), at)
  }
  return copy
}
