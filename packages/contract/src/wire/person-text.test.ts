import { expect, it } from 'vitest'
import { readPersonJson, readPersonText } from './person-text.ts'

const utf8 = (text: string) => [...new TextEncoder().encode(text)]
const wide = (text: string, littleEndian: boolean) =>
  [...text].flatMap((sign) => {
    const code = sign.charCodeAt(0)
    return littleEndian ? [code & 0xff, code >> 8] : [code >> 8, code & 0xff]
  })

it.each([
  ['UTF-8', utf8('ä')],
  ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, ...utf8('ä')]],
  ['UTF-16 of Windows', [0xff, 0xfe, ...wide('ä', true)]],
  ['UTF-16, the high byte first', [0xfe, 0xff, ...wide('ä', false)]],
])('reads %s', (_, bytes) => {
  expect(readPersonText(new Uint8Array(bytes), 'a.txt')).toEqual({ text: 'ä' })
})

it.each([
  [
    'Windows-1252',
    [0x7b, 0x0d, 0x0a, 0x22, 0xe4, 0x22],
    'a.json:2:2 has the byte 0xE4, which is not UTF-8; save it as UTF-8',
  ],
  [
    'half a character',
    [...utf8('aä'), 0xc3],
    'a.json:1:3 has the byte 0xC3, which is not UTF-8; save it as UTF-8',
  ],
  ['UTF-16 without a mark', wide('{}', true), 'a.json is UTF-16 without a byte order mark; save it as UTF-8'],
  [
    'the same, the high byte first',
    wide('{}', false),
    'a.json is UTF-16 without a byte order mark; save it as UTF-8',
  ],
  ['half of UTF-16', [0xff, 0xfe, 0x7b], 'a.json is not whole UTF-16; save it as UTF-8'],
  ['UTF-32', [0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0], 'a.json is UTF-32; save it as UTF-8'],
  ['UTF-32, the high byte first', [0, 0, 0xfe, 0xff, 0, 0, 0, 0x7b], 'a.json is UTF-32; save it as UTF-8'],
  ['no text', utf8('{}\n\0\u0001'), 'a.json is not text: it has a byte 0 in line 2'],
])('refuses %s', (_, bytes, problem) => {
  expect(readPersonJson(new Uint8Array(bytes), 'a.json')).toEqual({ problem })
})

it('reads JSON, and says where it is not', () => {
  expect(readPersonJson(new Uint8Array([0xef, 0xbb, 0xbf, ...utf8('{"a": 1}')]), 'a.json')).toEqual({
    value: { a: 1 },
  })
  expect(readPersonJson('\ufeff{"a": 1}', 'a.json')).toEqual({ value: { a: 1 } })
  expect(readPersonJson('{\n  "a": 1,\n  // b\n}', 'a.json')).toEqual({
    problem: 'a.json:3:3 has a comment; JSON has none',
  })
})
