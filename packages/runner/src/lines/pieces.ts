/** How many bytes lie in pieces. */
export const bytesOf = (pieces: readonly Uint8Array[]): number =>
  pieces.reduce((sum, piece) => sum + piece.length, 0)

/** The bytes from one place to another of those that lie in pieces, as views of them. */
export function stretchOf(pieces: readonly Uint8Array[], from: number, to: number): Uint8Array[] {
  const found: Uint8Array[] = []
  let at = 0
  for (const piece of pieces) {
    if (at >= to) break
    const end = at + piece.length
    if (end > from) found.push(piece.subarray(Math.max(0, from - at), to - at))
    at = end
  }
  return found
}

/** A few bytes that lie in pieces as text. */
export const textOf = (pieces: readonly Uint8Array[]): string => Buffer.concat(pieces).toString()

/** The longest escape of a character, without its last byte. */
const CUT_MAX = 5

/** What the beginning of a JSON string says, in which its last escape may be cut. */
export function beginningOf(json: string): string {
  for (let cut = 0; cut <= CUT_MAX; cut++) {
    for (const end of ['', '"'])
      try {
        return JSON.parse(json.slice(0, json.length - cut) + end) as string
      } catch {
        // The next one is shorter.
      }
  }
  return ''
}
