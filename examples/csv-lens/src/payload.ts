/** Arguments of a call that are too large to be sent. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

/** Bytes of the JSON text of a value, as they travel. */
export const jsonBytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length

/**
 * Refuses what is over the limit before it is sent, naming size and limit.
 *
 * @throws TooLarge
 */
export function holdSize(name: string, bytes: number, bytesMax: number): void {
  if (bytes <= bytesMax) return
  const count = new Intl.NumberFormat('en')
  throw new TooLarge(
    `${name} is too large for one call: it takes ${count.format(bytes)} bytes, the limit is ${count.format(bytesMax)}. Choose a table with fewer rows`,
  )
}
