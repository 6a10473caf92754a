import { isUtf8 } from 'node:buffer'
import type { ImageType, UploadType } from '@svc/contract'

/** What the host knows of a type of files. */
interface Media {
  /** Whether bytes are of the type, by what they begin with; a type that has no such mark takes any. */
  readonly isOf: (bytes: Uint8Array) => boolean
  /** Shown inline; everything else is offered for saving. A script may hide in an SVG. */
  readonly inline?: true
}

const latin = (bytes: Uint8Array, from: number, to: number) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', from, to)

const begins =
  (...starts: readonly string[]) =>
  (bytes: Uint8Array) =>
    starts.some((start) => latin(bytes, 0, start.length) === start)

const RIFF_HEAD_BYTES = 8

/** A RIFF file says how long it is; one that says more than came is cut off, and behind one that says less hides something. */
function isWebp(bytes: Uint8Array): boolean {
  if (latin(bytes, 0, 4) !== 'RIFF' || latin(bytes, 8, 12) !== 'WEBP') return false
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true)
  // An odd size has a byte of padding that some writers leave uncounted.
  return [size, size + (size % 2)].includes(bytes.byteLength - RIFF_HEAD_BYTES)
}

const SVG_HEAD_BYTES = 1_024

/** After a byte order mark and white space `<?xml` or `<svg`. */
const isSvg = (bytes: Uint8Array) =>
  /^(\u00ef\u00bb\u00bf)?[\t\n\r ]*<(\?xml|svg)/.test(latin(bytes, 0, SVG_HEAD_BYTES))

const images: { readonly [Type in ImageType]: Media } = {
  'image/png': { isOf: begins('\x89PNG\r\n\x1a\n'), inline: true },
  'image/jpeg': { isOf: begins('\xff\xd8\xff'), inline: true },
  'image/gif': { isOf: begins('GIF87a', 'GIF89a'), inline: true },
  'image/webp': { isOf: isWebp, inline: true },
  'image/bmp': { isOf: begins('BM'), inline: true },
  'image/svg+xml': { isOf: isSvg },
}

const media: { readonly [Type in UploadType]: Media } = {
  ...images,
  'application/pdf': { isOf: begins('%PDF-') },
  'application/json': { isOf: isUtf8 },
  'application/zip': { isOf: begins('PK\x03\x04', 'PK\x05\x06') },
  'application/octet-stream': { isOf: () => true },
  'text/plain': { isOf: isUtf8 },
  'text/csv': { isOf: isUtf8 },
  'text/markdown': { isOf: isUtf8 },
}

/** Whether bytes are what their type says. */
export const isOfType = (type: UploadType, bytes: Uint8Array): boolean => media[type].isOf(bytes)

/** Whether a browser may show a file of the type inline. */
export const isInline = (type: UploadType): boolean => media[type].inline === true

/** The type of an image by its bytes, as a model made it; `null` if it is not one that is shown. */
export const imageTypeOf = (bytes: Uint8Array): ImageType | null =>
  (Object.keys(images) as ImageType[]).find((type) => isInline(type) && isOfType(type, bytes)) ?? null
