import { createHash } from 'node:crypto'

const PREFIX_CHARS = 16
const SEQ = /^(?:0|[1-9a-z][0-9a-z]{0,9})$/

/**
 * Makes the cursors of a user. They carry no signature: a forged one reaches nothing but the caller's own
 * events, since the journal is chosen by the sign-in and never by the cursor.
 */
export function cursorsOf(epoch: string, userId: string) {
  const hash = createHash('sha256')
    .update(JSON.stringify([epoch, userId]))
    .digest('base64url')
  const prefix = `${hash.slice(0, PREFIX_CHARS)}.`
  return {
    write: (seq: number) => prefix + seq.toString(36),
    /** The seq of a cursor; `null` when it is malformed, another user's or of journals that are lost. */
    read(cursor: string) {
      const digits = cursor.slice(prefix.length)
      if (!cursor.startsWith(prefix) || !SEQ.test(digits)) return null
      return Number.parseInt(digits, 36)
    },
  }
}

/** Writes and reads the cursors of one user's journal: opaque texts that no other user or epoch understands. */
export type Cursors = ReturnType<typeof cursorsOf>
