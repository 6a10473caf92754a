import { createHash, randomUUID } from 'node:crypto'
import { above, type ByteText, decodePart, encodePart } from '@svc/state/driver'

/** Bytes that an index of PostgreSQL takes of a key: two of them and what belongs to it fit in a third of a page. */
export const CUT = 1_800

/** The bytes of a key. */
export const bytesOf = (text: ByteText): Buffer => Buffer.from(text, 'latin1')

/** A key of its bytes. */
export const textOf = (bytes: Buffer): ByteText => bytes.toString('latin1')

/** What a record is known by: its id, or where that is too long for an index, its beginning and digest. */
export function idOf(id: string): { readonly id: Buffer; readonly whole: Buffer | null } {
  const whole = bytesOf(encodePart(id))
  if (whole.length <= CUT) return { id: whole, whole: null }
  const digest = createHash('sha256').update(whole).digest()
  return { id: Buffer.concat([whole.subarray(0, CUT - digest.length), digest]), whole }
}

/** The id of a record. */
export const idFrom = (bytes: Buffer): string => decodePart(textOf(bytes)) as string

/** The number of a lock, by what it is of. */
export function lockOf(...of: readonly (string | Buffer)[]): bigint {
  const hash = createHash('sha256')
  // The length first: no two lists are one text.
  for (const part of of) hash.update(`${part.length}:`).update(part)
  return hash.digest().readBigInt64BE()
}

/** The end of what begins with `eq`. */
export const endOf = (eq: ByteText): Buffer => bytesOf(above(eq))

/** In the order in which every writer takes locks. */
export const sortedLocks = (locks: readonly bigint[]): string[] =>
  [...new Set(locks)].sort((a, b) => (a < b ? -1 : 1)).map(String)

/** Tells one write from all others: 64 random bits of a UUID, which Node draws many at a time. */
export function newToken(): string {
  const uuid = randomUUID()
  return String(BigInt.asIntN(64, BigInt(`0x${uuid.slice(0, 4)}${uuid.slice(24)}`)))
}
