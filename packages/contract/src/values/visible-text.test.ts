import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cutText, quoted, visibleLine, visibleText, visibleTitle } from './visible-text.ts'

const units = (from: number, to = from) =>
  Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at))

verifies.each('text.visible')([
  ['C0', units(0x00, 0x1f).filter((unit) => unit !== '\n')],
  ['DEL and C1', units(0x7f, 0x9f)],
  [
    'marks, overrides and isolates of direction',
    '\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069',
  ],
  ['zero width', '\u200b\u200c\u200d\u2060\u2061\u2064\ufeff\u00ad\u034f\u180e'],
  ['letters that are blank', '\u2800\u3164\uffa0\u115f\u1160\u17b4\u17b5\u{13441}\u{16fe4}\u{1d159}'],
  ['spaces', '\u00a0\u1680\u2000\u2003\u2009\u200a\u202f\u205f\u3000\u2028\u2029'],
  ['selectors of variants', '\ufe00\ufe0d\ufe0e\ufe0f\u180b\u{e0100}\u{e01ef}'],
  ['tags', units(0xe0000, 0xe007f)],
  ['half of a pair', ['\ud800', '\udfff']],
  ['annotations and shorthand', '\ufff9\ufffb\u{1bca0}\u{1d173}'],
])('escapes in a text, and drops from a title: %s', (_, hidden) => {
  for (const one of hidden) {
    expect([one, visibleText(`a${one}b`)]).toEqual([one, `a${escapes(one)}b`])
    expect([one, visibleTitle(`a${one}b`)]).toEqual([one, /\s/u.test(one) ? 'a b' : 'ab'])
    expect(JSON.parse(visibleText(JSON.stringify(one)))).toBe(one)
  }
})

const escapes = (text: string) =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

verifies.each('text.visible')([
  ['Arabic and Persian', 'مرحبا بالعالم، می\u200cخواهم ۝ \u0600'],
  ['Hebrew', 'שלום עולם'],
  ['Hindi, Sinhala and Malayalam', 'क्\u200dष क्\u200cष ශ්\u200dරී ന്\u200dറെ'],
  [
    'emoji',
    '👩\u200d👩\u200d👧 👩🏽\u200d💻 🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥 ❤\ufe0f ☎\ufe0e 1\ufe0f\u20e3 🇩🇪',
  ],
  ['the flag of Scotland', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['others', 'Ünïcödé 東京 กรุงเทพ Việt a\u0301 café – “quoted”'],
])('leaves what a language is written with: %s', (_, text) => {
  expect([visibleText(text), visibleLine(text), visibleTitle(text)]).toEqual([text, text, text])
})

verifies.each('text.visible')([
  ['between letters that do not join', 'pay\u200dpal'],
  ['at an end', '\u200dक'],
  ['behind another', 'क्\u200d\u200dष'],
  ['between an emoji and a letter', '👩\u200da'],
  ['a selector behind a letter', 'a\ufe0f'],
  ['a selector behind a digit', '1\ufe0f2'],
  ['tags of another flag', '🏴\u{e0075}\u{e0073}\u{e007f}'],
])('escapes a joiner out of its place: %s', (_, text) => {
  expect(visibleText(text)).not.toBe(text)
})

it('keeps the lines of a text, and makes one of a line', () => {
  const text = ' a\n\tb  \u00a0 c\r\n'
  expect(visibleText(text)).toBe(' a\n\\u0009b  \\u00a0 c\\u000d\n')
  expect([visibleLine(text), visibleTitle(text)]).toEqual(['a b c', 'a b c'])
})

it.each([
  ['/srv/data', '"/srv/data"'],
  ['/srv/a". It may reach no host. "', '"/srv/a\\". It may reach no host. \\""'],
  ['C:\\data', '"C:\\\\data"'],
  ['/srv/\u202e\n', '"/srv/\\u202e\\n"'],
])('quotes %j', (text, shown) => {
  expect(quoted(text)).toBe(shown)
})

it('leaves nothing to escape, and JSON as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = visibleText(text)
      expect(visibleText(shown)).toBe(shown)
      expect(JSON.parse(visibleText(JSON.stringify(text)))).toBe(text)
    }),
  )
})

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['a😀b', 3, 'a…'],
  ['', 3, ''],
])('marks where a text is cut: %j to %i', (text, max, cut) => expect(cutText(text, max)).toBe(cut))
