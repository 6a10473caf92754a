import { endOfString } from '@svc/contract/depth'
import { beginsNumber, endOfNumber } from '@svc/contract/exact-json'

const SPACES: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d])
const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b
const CLOSE_LIST = 0x5d
const CLOSE_OBJECT = 0x7d

/**
 * Where an item of an array is in its bytes, `to` excluded, whether it nests too deep to be parsed, and how many
 * numbers it has that `JSON.stringify` would write in another way.
 */
export interface Item {
  readonly from: number
  readonly to: number
  readonly deep: boolean
  readonly odd: number
}

/** Whether JSON bytes are an array, if they are JSON at all. */
export const isArray = (bytes: Uint8Array): boolean => bytes[skipSpace(bytes, 0)] === OPEN_LIST

/**
 * Finds the items of an array without parsing anything: one walk, which ends as soon as there are more than
 * `maxItems`. Depth counts the array itself. `null` where the array is not closed or something follows it; what
 * stands between the commas is not judged.
 */
export function itemsOf(bytes: Uint8Array, maxDepth: number, maxItems: number): Item[] | null {
  const start = skipSpace(bytes, 0)
  const items: Item[] = []
  let from = start + 1
  let depth = 0
  let deep = false
  let odd = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at + 1)
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++depth > maxDepth) deep = true
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      if (--depth > 0) continue
      if (skipSpace(bytes, at + 1) < bytes.length) return null
      if (items.length > 0 || skipSpace(bytes, from) < at) items.push({ from, to: at, deep, odd })
      return items
    } else if (byte === COMMA && depth === 1) {
      items.push({ from, to: at, deep, odd })
      if (items.length > maxItems) return items
      from = at + 1
      deep = false
      odd = 0
    } else if (beginsNumber(byte)) {
      const end = endOfNumber(bytes, at)
      if (end < 0) odd++
      at = Math.abs(end) - 1
    }
  }
  return null
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (SPACES.has(bytes[at])) at++
  return at
}
