import { expect, it } from 'vitest'
import { endOfPlain } from './plain-run.ts'

const LONGEST = 80
const lengths = Array.from({ length: LONGEST }, (_, length) => length)
const stops = { 'a quote': 0x22, 'a backslash': 0x5c, 'a control character': 0x1f } as const

/** Bytes that begin at a place in their buffer which is even or not. */
const bytesAt = (offset: number, length: number) =>
  new Uint8Array(new ArrayBuffer(LONGEST + 4), offset, length).fill(0x78)

it.each([0, 1, 2, 3])('plain text of any length is plain to its end, %i bytes into its buffer', (offset) => {
  for (const length of lengths)
    for (const from of lengths.slice(0, length + 1))
      expect(endOfPlain(bytesAt(offset, length), from)).toBe(length)
})

it.each(Object.entries(stops))('%s ends it, wherever it stands', (_name, stop) => {
  for (const offset of [0, 1, 2, 3])
    for (const at of lengths) {
      const bytes = bytesAt(offset, LONGEST)
      bytes[at] = stop
      expect(endOfPlain(bytes, 0)).toBe(at)
    }
})

it.each([0x20, 0x21, 0x23, 0x5b, 0x5d, 0x7f, 0x80, 0xa2, 0xdc, 0xff])('byte %i is plain', (byte) => {
  expect(endOfPlain(bytesAt(0, LONGEST).fill(byte), 0)).toBe(LONGEST)
})
