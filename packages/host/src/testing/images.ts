import type { ImageType } from '@svc/contract'

const u16 = (n: number) => [n & 0xff, (n >> 8) & 0xff]
const be16 = (n: number) => [(n >> 8) & 0xff, n & 0xff]
const bytesOf = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  )
const int32 = (n: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(n | 0)
  return [...bytes]
}
const be32 = (n: number) => int32(n).reverse()
const riff = (chunk: string, ...body: readonly number[][]) => {
  const inner = bytesOf('WEBP', chunk, int32(body.flat().length), body.flat())
  return bytesOf('RIFF', int32(inner.length), [...inner])
}

/** Heads of images of any sides, by the forms that the sides are told in. */
export const sized = {
  png: (w: number, h: number) =>
    bytesOf('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', be32(w), be32(h), [1, 0, 0, 0, 0]),
  gif: (w: number, h: number) => bytesOf('GIF89a', u16(w), u16(h), [0, 0, 0], ';'),
  /** A picture on a screen of one pixel, behind an extension and tables of colours. */
  gifFrame: (w: number, h: number) =>
    bytesOf(
      'GIF89a',
      u16(1),
      u16(1),
      [0x80, 0, 0],
      [...Array(6)].fill(0),
      [0x21, 0xfe, 2, 1, 2, 0],
      [0x2c, 0, 0, 0, 0],
      u16(w),
      u16(h),
      [0, 2, 1, 0, 0],
      ';',
    ),
  bmp: (w: number, h: number) => bytesOf('BM', [...Array(12)].fill(0), int32(40), int32(w), int32(h)),
  bmpOs2: (w: number, h: number) => bytesOf('BM', [...Array(12)].fill(0), int32(12), u16(w), u16(h)),
  webpLossy: (w: number, h: number) => riff('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a], u16(w), u16(h)),
  webpLossless: (w: number, h: number) => riff('VP8L', [0x2f], int32((w - 1) | ((h - 1) << 14))),
  webpExtended: (w: number, h: number) =>
    riff('VP8X', [0, 0, 0, 0], int32(w - 1).slice(0, 3), int32(h - 1).slice(0, 3)),
  jpeg: (w: number, h: number) =>
    bytesOf(
      [0xff, 0xd8],
      [0xff, 0xe0, 0, 4, 1, 2],
      [0xff, 0xc0, 0, 11, 8],
      be16(h),
      be16(w),
      [1, 1, 0x11, 0],
      [0xff, 0xda],
    ),
  /** Filling, rubbish and a second, progressive frame before the scan; a frame behind it that counts for nothing. */
  jpegOdd: (w: number, h: number) =>
    bytesOf(
      [0xff, 0xd8],
      [0xff, 0xe0, 0, 3, 1],
      [7, 7, 0xff, 0xff, 0xff, 0xc4, 0, 3, 9],
      [0xff, 0xd0, 0xff, 0],
      [0xff, 0xc0, 0, 8, 8, 0, 1, 0, 1, 1],
      [0xff, 0xc2, 0, 8, 8],
      be16(h),
      be16(w),
      [1],
      [0xff, 0xda, 0xff, 0xc0, 0, 9, 8, 0xff, 0xff, 0xff, 0xff],
    ),
} as const satisfies Record<string, (w: number, h: number) => Buffer>

/** The types of the heads above. */
export const typeOfForm: { readonly [Form in keyof typeof sized]: ImageType } = {
  png: 'image/png',
  gif: 'image/gif',
  gifFrame: 'image/gif',
  bmp: 'image/bmp',
  bmpOs2: 'image/bmp',
  webpLossy: 'image/webp',
  webpLossless: 'image/webp',
  webpExtended: 'image/webp',
  jpeg: 'image/jpeg',
  jpegOdd: 'image/jpeg',
}
