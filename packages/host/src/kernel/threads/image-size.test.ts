import { rounds } from '@svc/conformance/rounds'
import { imageTypes } from '@svc/contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pictures } from '../../testing/files.ts'
import { sized, typeOfForm } from '../../testing/images.ts'
import { isOfType } from '../media.ts'
import { imageSizeOf } from './image-size.ts'

type Form = keyof typeof sized
const forms = Object.keys(sized) as Form[]

it.each(
  forms.flatMap(
    (form) =>
      [
        [form, 1, 1],
        [form, 640, 480],
        [form, 8_193, 3],
        [form, 16_000, 16_383],
      ] as const,
  ),
)('%s of %i x %i pixels', (form, width, height) => {
  const bytes = sized[form](width, height)
  expect(isOfType(typeOfForm[form], bytes)).toBe(true)
  expect(imageSizeOf(typeOfForm[form], bytes)).toEqual({ width, height })
})

it.each([
  ['image/png', sized.png(60_000, 60_000), 60_000, 60_000],
  ['image/png', sized.png(60_000, 60_000).subarray(0, 16), 0, 0],
  ['image/bmp', sized.bmp(3, -5), 3, -5],
  ['image/png', pictures['image/png'], 1, 1],
  ['image/gif', Buffer.from('GIF89a=1/*<html>*/'), 0x313d, 0x2a2f],
  ['image/svg+xml', pictures['image/svg+xml'], 0, 0],
] as const)('%s %o: %i x %i', (type, bytes, width, height) => {
  expect(imageSizeOf(type, bytes)).toEqual({ width, height })
})

it('reads any bytes to an end, each cut of a picture among them', () => {
  const cut = fc.constantFrom(...forms).chain((form) => fc.tuple(fc.constant(sized[form](9, 9)), fc.nat(60)))
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    cut.map(([picture, end]) => picture.subarray(0, end)),
    fc
      .tuple(cut, fc.uint8Array({ maxLength: 200 }))
      .map(([[picture, end], rest]) => Buffer.concat([picture.subarray(0, end), rest])),
  )
  fc.assert(
    fc.property(fc.constantFrom(...imageTypes), bytes, (type, given) => {
      const { width, height } = imageSizeOf(type, Buffer.from(given))
      expect([Number.isInteger(width), Number.isInteger(height)]).toEqual([true, true])
    }),
    { numRuns: rounds(1_000) },
  )
})
