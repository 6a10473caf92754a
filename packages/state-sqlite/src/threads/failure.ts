/** Why a verb failed: `unavailable`, try again; `damaged`, the file is not what was written; `bug`, a fault of this package. */
export type FailureCode = 'unavailable' | 'damaged' | 'bug'

/** What a thread says of a verb that failed. */
export interface Failure {
  readonly code: FailureCode
  readonly message: string
}

/** Says that what is stored is not what was written. */
export class Damaged extends Error {
  override readonly name = 'Damaged'
}

/** Says that a file may not grow. */
export class Full extends Error {
  override readonly name = 'Full'
}

/** The low byte of an SQLite result code is its kind. */
const KIND = 0xff
const FULL = 13
/** Corrupt, no database; and 1: the tables are not those that the statements of this package were written for. */
const DAMAGED = new Set([1, 11, 26])
/** Busy, locked, no memory, read-only, input/output, cannot open: of the machine, not of the data. */
const PASSING = new Set([5, 6, 7, 8, 10, 14, FULL])

/** Says what an error of SQLite, or of our own, means for who called. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Damaged) return { code: 'damaged', message: error.message }
  const { errcode, message } = error as { errcode?: number; message?: string }
  const kind = (errcode ?? 0) & KIND
  if (kind === FULL || error instanceof Full)
    return {
      code: 'unavailable',
      message: 'there is no room: the disk, or what the folder may hold, is full',
    }
  if (PASSING.has(kind)) return { code: 'unavailable', message: `${message} (SQLite ${errcode})` }
  if (DAMAGED.has(kind)) return { code: 'damaged', message: `${message} (SQLite ${errcode})` }
  return { code: 'bug', message: String((error as Error)?.stack ?? error) }
}
