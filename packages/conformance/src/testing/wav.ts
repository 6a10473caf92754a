/** A second of silence, 8 000 samples a second of one byte. */
export function wav(): Uint8Array {
  const head = Buffer.from('RIFFxxxxWAVEfmt xxxx\x01\0\x01\0xxxxxxxx\x01\0\x08\0dataxxxx', 'latin1')
  for (const [at, n] of [
    [4, 8_036],
    [16, 16],
    [24, 8_000],
    [28, 8_000],
    [40, 8_000],
  ] as const)
    head.writeUInt32LE(n, at)
  return Buffer.concat([head, Buffer.alloc(8_000, 0x80)])
}
