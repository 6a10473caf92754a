import { createHash } from 'node:crypto'

/** The name of some bytes: their SHA-256, 64 lower-case hex digits. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
