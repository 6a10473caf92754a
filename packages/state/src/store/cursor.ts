import type { ByteText } from './keys.ts'
import { StoreError } from './store-error.ts'

/** What a cursor begins with: it is good for one index only. Names hold no line breaks. */
const owner = (collection: string, index: string) => `${collection}\n${index}\n`

/**
 * Writes down where a page ended as URL-safe text. `rest` is the last entry without the bytes of `eq`: the scan
 * that goes on states its own `eq`, so a cursor neither tells nor chooses whose records are read.
 */
export function encodeCursor(collection: string, index: string, rest: ByteText): string {
  return Buffer.from(owner(collection, index) + rest, 'latin1').toString('base64url')
}

/** Reads a cursor back. Throws `StoreError` `bad_cursor` when it is not one of this index. */
export function decodeCursor(collection: string, index: string, cursor: string): ByteText {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const head = owner(collection, index)
  if (text.startsWith(head)) return text.slice(head.length)
  throw new StoreError('bad_cursor', `the cursor is not one of ${collection}.${index}`)
}
