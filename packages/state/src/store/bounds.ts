import { decodeCursor } from './cursor.ts'
import { above, type ByteText, encodeKey, encodeKind, encodePart, encodePrefix } from './keys.ts'
import type { Collection, ScanOptions } from './port.ts'

/** What a scan walks over: entries with `low <= entry < high`, in bytes; `eq` is how each of them begins. */
export interface Bounds {
  low: ByteText
  high: ByteText
  eq: ByteText
}

const later = (a: ByteText, b: ByteText) => (a > b ? a : b)
const earlier = (a: ByteText, b: ByteText) => (a < b ? a : b)

/**
 * The bounds of one scan, for any driver whose entries are those of `encodeEntry`.
 * Throws `StoreError` `bad_cursor` for an `after` of another index, `RangeError` for a limit below 1.
 */
export function boundsOf(collection: Collection<never>, index: string, options: ScanOptions): Bounds {
  const { from, to, prefix, after, limit } = options
  if (!(limit >= 1)) throw new RangeError(`limit must be at least 1, got ${limit}`)
  const eq = encodeKey(options.eq ?? [])
  const bounds = { eq, low: eq, high: above(eq) }
  const narrow = (low: ByteText, high: ByteText) => {
    bounds.low = later(bounds.low, low)
    bounds.high = earlier(bounds.high, high)
  }
  if (from !== undefined) narrow(eq + encodePart(from), above(eq + encodeKind(from)))
  if (to !== undefined) narrow(eq + encodeKind(to), above(eq + encodePart(to)))
  if (prefix !== undefined) narrow(eq + encodePrefix(prefix), above(eq + encodePrefix(prefix)))
  if (after != null) {
    const seen = eq + decodeCursor(collection.name, index, after)
    if (options.order === 'desc') bounds.high = earlier(bounds.high, seen)
    else bounds.low = later(bounds.low, `${seen}\x00`)
  }
  return bounds
}
