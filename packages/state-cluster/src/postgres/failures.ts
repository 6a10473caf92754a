import { StoreError } from '@svc/state/driver'
import { DatabaseError } from 'pg'

/**
 * What an error means for the statement that met it: `refused`, it was not carried out, and may be later; `cut`, the
 * connection ended while it was under way, so that it may have been carried out; `unnamed`, the connection knows no
 * prepared statements (PgBouncer); `failed`, trying again at once does not help; `bug`, a fault of this package.
 */
export type Meaning = 'refused' | 'cut' | 'unnamed' | 'failed' | 'bug'

/** By SQLSTATE, or by the class that it begins with. */
const meanings: Readonly<Record<string, Meaning>> = {
  '26000': 'unnamed', // no such prepared statement
  '42P05': 'unnamed', // there is one already
  '08': 'cut', // 08P01 among them: of PgBouncer, whose server ended
  '0A000': 'cut', // a statement that was prepared before a migration, on this connection
  '25006': 'refused', // read-only: a standby
  '25P03': 'cut', // in a transaction, and silent for too long
  '28': 'failed', // another password, or none of our connections
  '3D000': 'failed', // no such database
  '40': 'refused', // deadlock, conflict
  '42501': 'failed', // not allowed
  '53300': 'refused', // too many connections
  '53': 'failed', // no disk, no memory
  '54': 'failed', // a limit of PostgreSQL
  '55P03': 'refused', // a lock was not granted
  '57014': 'failed', // cancelled: it took too long
  '57P03': 'refused', // starting or stopping
  '57': 'cut', // stopped by its operator
  '58': 'failed', // of its file system
  XX: 'failed', // damaged pages among them
}

/** What PgBouncer says itself has this code, and a statement that was prepared by another client. */
const PROTOCOL = '08P01'

/** What an error of `pg` means. `isSent`: the statement was on its way. */
export function meaningOf(error: unknown, isSent: boolean): Meaning {
  const code = error instanceof DatabaseError ? error.code : undefined
  if (code === PROTOCOL && (error as Error).message.includes('prepared statement')) return 'unnamed'
  if (code !== undefined) return meanings[code] ?? meanings[code.slice(0, 2)] ?? 'bug'
  // Our own refusals are told as they are.
  if (error instanceof TypeError || error instanceof StoreError) return 'bug'
  return isSent ? 'cut' : 'refused'
}

/** Why PostgreSQL cannot be used just now, in a sentence that names no address. */
export function sentenceOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  // Its message has the address of this host.
  if (error instanceof DatabaseError && code === '28000' && message?.includes(' host '))
    return `PostgreSQL cannot be used: this host may not connect (${code})`
  return error instanceof DatabaseError
    ? `PostgreSQL cannot be used: ${message} (${code})`
    : `PostgreSQL cannot be reached: ${code ?? message}`
}

/** Makes of an error of `pg` what a caller of the store gets. */
export function storeErrorOf(error: unknown): Error {
  const { code = '' } = error as { code?: string }
  if (code === 'XX001' || code === 'XX002')
    return new StoreError('damaged', `PostgreSQL found damaged data: ${(error as Error).message}`, {
      cause: error,
    })
  return new StoreError('unavailable', sentenceOf(error), { cause: error })
}
