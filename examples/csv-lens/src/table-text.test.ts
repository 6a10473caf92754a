import { expect, it } from 'vitest'
import { tableText } from './table-text.ts'

const TABLE = 'name;city\nMüller;Köln\n'
const wide = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

it.each([
  ['UTF-8', Buffer.from(TABLE)],
  ['UTF-8', Buffer.from(`\ufeff${TABLE}`)],
  ['UTF-16', wide(TABLE)],
  ['UTF-16', Buffer.from(wide(TABLE)).swap16()],
  ['UTF-16', Buffer.from(TABLE, 'utf16le')],
  ['UTF-16', Buffer.from(TABLE, 'utf16le').swap16()],
  ['Windows-1252', Buffer.from(TABLE, 'latin1')],
] as const)('reads %s, case %#', (encoding, bytes) => {
  expect(tableText(bytes, 'a.csv')).toEqual({ text: TABLE, encoding })
})

it('reads the signs that Windows-1252 has beyond Latin-1', () => {
  expect(tableText(new Uint8Array([0x80, 0xe4]), 'a.csv').text).toBe('€ä')
})

it.each([
  ['a spreadsheet', Buffer.from('PK\u0003\u0004\0\0')],
  ['an archive', Buffer.from('PK\u0003\u0004\u0014\0\u0006\0\b\0\0\0!\0')],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0])],
])('refuses %s', (_, bytes) => {
  expect(() => tableText(bytes, 'a.xlsx')).toThrow('a.xlsx is not a table of text')
})
