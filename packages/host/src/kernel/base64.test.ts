import { expect, it } from 'vitest'
import { decodeLongBase64 } from './base64.ts'

const LONG = Buffer.alloc(3_000_000, 'abc')
const text = LONG.toString('base64')

it.each<[string, string, Buffer | null]>([
  ['nothing', '', Buffer.alloc(0)],
  ['a short text', 'YQ==', Buffer.from('a')],
  ['a long text', text, LONG],
  ['a short text without its padding', 'YQ', null],
  ['padding in the middle of a long text', `${text.slice(0, 1_048_574)}==${text}`, null],
  ['a long text with a space', `${text.slice(0, 2_000_000)} ${text}`, null],
])('%s as text and as bytes', async (_what, given, bytes) => {
  for (const form of [given, Buffer.from(given)]) {
    const decoded = await decodeLongBase64(form)
    // `toEqual` compares millions of bytes one by one.
    expect(decoded && bytes ? decoded.equals(bytes) : decoded).toBe(bytes ? true : null)
  }
})
