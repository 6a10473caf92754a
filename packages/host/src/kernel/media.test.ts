import { readFileSync } from 'node:fs'
import { imageTypes, type UploadType, uploadTypes } from '@svc/contract'
import { expect, it } from 'vitest'
import { pictures } from '../testing/files.ts'
import { decodeBase64 } from './base64.ts'
import { imageTypeOf, isInline, isOfType } from './media.ts'

const corpus: { data: string[] } = JSON.parse(
  readFileSync(new URL('../../../conformance/corpora/attachments.json', import.meta.url), 'utf8'),
)

it.each(imageTypes.map((type) => [type]))('%s is told from every other image by its bytes', (type) => {
  const fitting = imageTypes.filter((other) => isOfType(other, pictures[type]))
  expect(fitting).toEqual([type])
})

const svg = (text: string) => Buffer.from(text)
const webp = (size: number) => {
  const bytes = Buffer.from(pictures['image/webp'])
  bytes.writeUInt32LE(size, 4)
  return bytes
}

it.each<[string, UploadType, Uint8Array, boolean]>([
  ['nothing', 'image/png', new Uint8Array(), false],
  ['a PNG that is cut off in its mark', 'image/png', pictures['image/png'].subarray(0, 7), false],
  [
    'a mark that does not stand at the start',
    'image/png',
    Buffer.concat([svg(' '), pictures['image/png']]),
    false,
  ],
  [
    'a view into a larger buffer',
    'image/png',
    Buffer.concat([svg('xx'), pictures['image/png']]).subarray(2),
    true,
  ],
  ['GIF87a', 'image/gif', Buffer.from('GIF87a'), true],
  ['GIF88a', 'image/gif', Buffer.from('GIF88a'), false],
  ['a RIFF that tells more bytes than it has', 'image/webp', webp(0xffff_ffff), false],
  ['a RIFF that tells fewer bytes than it has', 'image/webp', webp(2), false],
  ['a RIFF whose padding is not counted', 'image/webp', webp(3), true],
  ['a RIFF of another kind', 'image/webp', Buffer.from('RIFF\x04\0\0\0WAVE'), false],
  ['an SVG behind a byte order mark', 'image/svg+xml', svg('\ufeff \n<svg/>'), true],
  ['an SVG with its XML line', 'image/svg+xml', svg('<?xml version="1.0"?><svg/>'), true],
  ['HTML as an SVG', 'image/svg+xml', svg('<html><svg/>'), false],
  ['a comment before an SVG', 'image/svg+xml', svg('<!-- --><svg/>'), false],
  ['a PDF', 'application/pdf', Buffer.from('%PDF-1.7'), true],
  ['a ZIP as a PDF', 'application/pdf', Buffer.from('PK\x03\x04'), false],
  ['an empty ZIP', 'application/zip', Buffer.from('PK\x05\x06'), true],
  ['text', 'text/plain', Buffer.from('ä'), true],
  ['Latin-1 as text', 'text/csv', Buffer.from('ä', 'latin1'), false],
  ['anything without a type', 'application/octet-stream', Buffer.from([0, 255]), true],
])('%s as %s: %o is %j', (_name, type, bytes, fits) => {
  expect(isOfType(type, bytes)).toBe(fits)
})

it('shows raster images where they stand and nothing else', () => {
  expect(uploadTypes.filter(isInline)).toEqual(imageTypes.filter((type) => type !== 'image/svg+xml'))
})

it('knows the type of an image by its bytes, but takes no SVG from a model', () => {
  for (const type of imageTypes)
    expect(imageTypeOf(pictures[type])).toBe(type === 'image/svg+xml' ? null : type)
  expect(imageTypeOf(Buffer.from('no image'))).toBeNull()
})

it.each([
  ['', 0],
  ['AAAA', 3],
  ['AA==', 1],
  ['iVBORw0KGgo=', 8],
  ['A', null],
  ['AA=A', null],
  ['AA', null],
  ['AB==', null],
  ['-_-_', null],
  ['AAAA\nAAAA', null],
  [' AAAA', null],
  ['data:;base64,AAAA', null],
])('base64 %j holds %j bytes', (text, count) => {
  expect(decodeBase64(text)?.length ?? null).toBe(count)
})

it('the corpus has the cases that stand here and in the tests of upload.inline', () => {
  for (const named of ['data:image/png;base64,AA=A', 'base64url -_-_', 'WEBP RIFF size lie'])
    expect(corpus.data).toContain(named)
})
