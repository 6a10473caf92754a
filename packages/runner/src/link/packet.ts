/**
 * What a packet is, by its first byte; one packet is one binary message of the WebSocket. A number follows in four
 * bytes, the high one first: of `part`, `last` and `drop` that of the message, of `taken` a count of bytes, of `whole` 0.
 */
export const PACKET = {
  /** A message that fits into one. */
  whole: 0,
  /** `LINK_PART_BYTES` of a longer one, neither more nor less; there is more to come. */
  part: 1,
  /** The end of a longer one. */
  last: 2,
  /** The rest of a message will not come. */
  drop: 3,
  /** The reader took so many bytes of parts off the sender's window. */
  taken: 4,
} as const

/** Bytes before the payload of a packet. */
export const PACKET_HEAD_BYTES = 5

/** Makes a packet; the pieces of its payload are copied one behind the other. */
export function packet(kind: number, number: number, ...payload: readonly Uint8Array[]): Uint8Array {
  const length = payload.reduce((sum, piece) => sum + piece.length, PACKET_HEAD_BYTES)
  const bytes = new Uint8Array(length)
  bytes[0] = kind
  new DataView(bytes.buffer).setUint32(1, number)
  let at = PACKET_HEAD_BYTES
  for (const piece of payload) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
