import { createHash } from 'node:crypto'

const PREFIX_CHARS = 16
const SEQ = /^(?:0|[1-9a-z][0-9a-z]{0,9})$/

/**
 * Makes the cursors of a user. They carry no signature: a forged one reaches nothing but the caller's own
 * events, since the journal is chosen by the sign-in and never by the cursor.
 */
export function cursorsOf(epoch: string, userId: string): Cursors {
  const hash = createHash('sha256')
    .update(JSON.stringify([epoch, userId]))
    .digest('base64url')
  return new Cursors(`${hash.slice(0, PREFIX_CHARS)}.`)
}

/**
 * Writes and reads the cursors of one user's journal: opaque texts that no other user or epoch understands. A class,
 * because a host has one for each page that is open: its methods are made once.
 */
export class Cursors {
  readonly #prefix: string

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  write(seq: number): string {
    return this.#prefix + seq.toString(36)
  }

  /** The seq of a cursor; `null` when it is malformed, another user's or of journals that are lost. */
  read(cursor: string): number | null {
    const digits = cursor.slice(this.#prefix.length)
    if (!cursor.startsWith(this.#prefix) || !SEQ.test(digits)) return null
    return Number.parseInt(digits, 36)
  }
}
