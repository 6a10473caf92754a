import type { ImageType } from '@svc/contract'

/** Sides of an image, in pixels. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** The bytes that hold width and height of every type but JPEG and GIF. */
const HEAD_BYTES = 32
const NONE: ImageSize = { width: 0, height: 0 }

/** The largest of several sizes, side by side: whatever of them a decoder takes. */
const larger = (a: ImageSize, b: ImageSize): ImageSize => ({
  width: Math.max(a.width, b.width),
  height: Math.max(a.height, b.height),
})

const pngSize = (head: Buffer): ImageSize => ({ width: head.readUInt32BE(16), height: head.readUInt32BE(20) })

/** A header of 12 bytes is that of OS/2, whose sides have two head. A height below zero turns the rows around. */
const bmpSize = (head: Buffer): ImageSize =>
  head.readUInt32LE(14) === 12
    ? { width: head.readUInt16LE(18), height: head.readUInt16LE(20) }
    : { width: head.readInt32LE(18), height: head.readInt32LE(22) }

const webpSizes: { readonly [Chunk in string]?: (head: Buffer) => ImageSize } = {
  'VP8 ': (head) => ({ width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }),
  VP8L: (head) => {
    const bits = head.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  },
  VP8X: (head) => ({ width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }),
}

const webpSize = (head: Buffer): ImageSize => webpSizes[head.toString('latin1', 12, 16)]?.(head) ?? NONE

/** Start-of-frame markers: C0 to CF but the tables DHT, JPG and DAC. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** Markers without a segment: TEM, the restarts and the start. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
const SCAN = 0xda
const END = 0xd9

/** Goes from marker to marker to the first scan, past filling and rubbish between them as decoders do. */
function jpegSize(bytes: Buffer): ImageSize {
  let size = NONE
  let at = 2
  for (;;) {
    while (at < bytes.length && bytes[at] !== 0xff) at += 1
    const marker = bytes[at + 1]
    if (marker === undefined || marker === SCAN || marker === END) return size
    if (marker === 0xff) at += 1
    else if (marker === 0 || isBare(marker)) at += 2
    else if (at + 4 > bytes.length) return size
    else {
      if (isFrame(marker) && at + 9 <= bytes.length)
        size = larger(size, { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) })
      at += 2 + bytes.readUInt16BE(at + 2)
    }
  }
}

const IMAGE = 0x2c
const EXTENSION = 0x21
/** Bytes of a table of colours, by the byte that announces it. */
const coloursOf = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

/** The screen, and every picture on it: one may be larger than what it is shown on. */
function gifSize(head: Buffer, bytes: Buffer): ImageSize {
  let size: ImageSize = { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
  let at = 13 + coloursOf(head.readUInt8(10))
  const skipBlocks = () => {
    for (let length = bytes[at]; length; length = bytes[at]) at += length + 1
    at += 1
  }
  for (;;) {
    const kind = bytes[at]
    if (kind === EXTENSION) at += 2
    else if (kind === IMAGE && at + 10 <= bytes.length) {
      const [left, top, width, height] = [1, 3, 5, 7].map((from) => bytes.readUInt16LE(at + from)) as [
        number,
        number,
        number,
        number,
      ]
      size = larger(size, { width: left + width, height: top + height })
      at += 11 + coloursOf(bytes[at + 9] ?? 0)
    } else return size
    skipBlocks()
  }
}

/** By the head, which is filled up with zeros, and if that does not have it, by the whole file. */
const sizes: { readonly [Type in ImageType]: (head: Buffer, bytes: Buffer) => ImageSize } = {
  'image/png': pngSize,
  'image/jpeg': (_head, bytes) => jpegSize(bytes),
  'image/gif': gifSize,
  'image/webp': webpSize,
  'image/bmp': bmpSize,
  // Its sides are what the reader makes them.
  'image/svg+xml': () => NONE,
}

/** The size that an image tells; 0 by 0 where it is cut off before: nothing can be drawn of it either. */
export function imageSizeOf(type: ImageType, bytes: Buffer): ImageSize {
  const head = Buffer.alloc(HEAD_BYTES)
  bytes.copy(head)
  return sizes[type](head, bytes)
}
