/** Bytes that one draw brings: some hundred ids. */
const POOL_BYTES = 8_192

/**
 * Makes a source of random bytes that draws a pool of them at a time: a draw asks the system, which costs several
 * times what an id does. No byte is given twice. `count` is at most the pool.
 */
export function pooledBytes(draw: (count: number) => Uint8Array): (count: number) => Uint8Array {
  let pool: Uint8Array = new Uint8Array(0)
  let used = 0
  return (count) => {
    if (used + count > pool.length) {
      pool = draw(POOL_BYTES)
      used = 0
    }
    used += count
    return pool.subarray(used - count, used)
  }
}
