import { expect, it } from 'vitest'
import { docComment, propertyName, stringLiteral, typeName } from './ts-text.ts'

it.each([
  ['plain', "'plain'"],
  ["it's", "'it\\'s'"],
  ['a\\', "'a\\\\'"],
  ['a\nb\tc\rd', "'a\\nb\\tc\\u000dd'"],
  ['\u2028\u2029\u202e\u0000', "'\\u2028\\u2029\\u202e\\u0000'"],
  ['\ud800', "'\\ud800'"],
  ['\u{e0041}', "'\\u{e0041}'"],
  ['Zürich 🌍', "'Zürich 🌍'"],
  ['a`$', "'a`$'"],
])('%j is the literal %s', (text, literal) => {
  expect(stringLiteral(text)).toBe(literal)
})

it.each([
  ['name', 'name'],
  ['$a_1', '$a_1'],
  ['class', 'class'],
  ['__proto__', '__proto__'],
  ['', "''"],
  ['1a', "'1a'"],
  ['a-b', "'a-b'"],
  ['größe', "'größe'"],
  ["a'; evil: '", "'a\\'; evil: \\''"],
  ['[key: string]', "'[key: string]'"],
])('%j is the name %s', (name, written) => {
  expect(propertyName(name)).toBe(written)
})

it.each([
  ['', ''],
  [' \n ', ''],
  ['What it does.', '  /** What it does. */\n'],
  ['ends */ here', '  /** ends *\\/ here */\n'],
  ['/', '  /** / */\n'],
  ['@deprecated', '  /** \\@deprecated */\n'],
  ['a\u202eb', '  /** a\\u202eb */\n'],
  [
    'is @deprecated, see {@link a} or ada@site.org',
    '  /** is \\@deprecated, see {\\@link a} or ada@site.org */\n',
  ],
  ['![a](https://site.org/a.png)', '  /** !\\[a](https://site.org/a.png) */\n'],
  ['<img src=a> \\<b> \\\\<b> </b> 1 < 2', '  /** \\<img src=a> \\<b> \\\\\\<b> \\</b> 1 < 2 */\n'],
  [
    'one\r\ntwo\n\n  @three\u2028four',
    '  /**\n   * one\n   * two\n   *\n   *   \\@three\n   * four\n   */\n',
  ],
])('%j is the comment %j', (text, comment) => {
  expect(docComment(text, '  ')).toBe(comment)
})

it('breaks long lines of a comment at spaces, and leaves long words whole', () => {
  const words = Array.from({ length: 40 }, () => 'word').join(' ')
  expect(
    docComment(words, '')
      .split('\n')
      .map((line) => line.length),
  ).toEqual([3, 102, 102, 3, 0])
  const long = 'x'.repeat(200)
  expect(docComment(`a ${long} b`, '')).toBe(`/**\n * a\n * ${long}\n * b\n */\n`)
})

it.each([
  ['csv-stats describe_csv', 'CsvStatsDescribeCsv'],
  ['größe', 'GrE'],
  ['東京', ''],
])('%j names the type %j', (text, name) => {
  expect(typeName(text)).toBe(name)
})
