import { describe, expect, it } from 'vitest'
import { readRows } from './csv.ts'

const cells = (text: string, separator = ',') => [...readRows(text, separator)].map((row) => row.cells)

describe('readRows', () => {
  it.each<[what: string, text: string, rows: string[][]]>([
    ['nothing', '', []],
    ['a byte order mark alone', '\ufeff', []],
    ['only blank lines', '\n\r\n\r', []],
    ['one cell without a line end', 'a', [['a']]],
    [
      'line feeds',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'carriage returns and line feeds',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'lone carriage returns',
      'a,b\r1,2\r',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'empty cells at both ends',
      ',\n,x,\n',
      [
        ['', ''],
        ['', 'x', ''],
      ],
    ],
    ['a comma as the last character', 'a,', [['a', '']]],
    ['blank lines between rows', 'a\n\n\n1\n', [['a'], ['1']]],
    ['a quoted empty cell, which is no blank line', 'a\n""\n', [['a'], ['']]],
    ['blanks around cells, dropped', ' a\t, "b ", c d \n', [['a', 'b ', 'c d']]],
    ['blanks around a quoted cell, dropped', '\t"a\n" ,b\n', [['a\n', 'b']]],
    ['lines of blanks, which are no rows', 'a\n \n\t \r\n1\n ', [['a'], ['1']]],
    ['commas, quotes and line ends in quotes', '"a,""b"",\r\nc",d', [['a,"b",\r\nc', 'd']]],
    ['only quotes in quotes', '"""""",""""', [['""', '"']]],
    ['a quote in a bare cell', '5" pipe,a"b"', [['5" pipe', 'a"b"']]],
    ['a byte order mark before a quote', '\ufeff"a"', [['a']]],
    ['a byte order mark elsewhere', 'a,\ufeffb', [['a', '\ufeffb']]],
    ['line ends of Unicode, which end no row', 'a\u2028b\u0085c\u000bd', [['a\u2028b\u0085c\u000bd']]],
  ])('reads %s', (_what, text, rows) => {
    expect(cells(text)).toEqual(rows)
  })

  it.each<[separator: string, text: string, rows: string[][]]>([
    [';', 'a;"b;c";1,5\n', [['a', 'b;c', '1,5']]],
    ['|', '|a|b|\n', [['', 'a', 'b', '']]],
    [
      '\t',
      ' a \t\t"b\tc"\n\t\t\n',
      [
        ['a', '', 'b\tc'],
        ['', '', ''],
      ],
    ],
  ])('parts cells by %j', (separator, text, rows) => {
    expect(cells(text, separator)).toEqual(rows)
  })

  it('numbers rows as a spreadsheet does, blank ones counted and line ends in quotes not', () => {
    expect([...readRows('a\n\n"1\n2"\n3\n', ',')].map((row) => row.number)).toEqual([1, 3, 4])
  })

  it.each([
    ['a\n1\n"2', 'row 3 has a quoted cell that is never closed'],
    ['"', 'row 1 has a quoted cell that is never closed'],
    ['a\n"1""', 'row 2 has a quoted cell that is never closed'],
    ['a\n"1"2', "row 2 has text after a closing quote, where only a separator or the row's end may stand"],
    ['"a" b', "row 1 has text after a closing quote, where only a separator or the row's end may stand"],
  ])('refuses %j', (text, sentence) => {
    expect(() => cells(text)).toThrow(new Error(sentence))
  })

  it('reads a cell of a million doubled quotes, and a million cells, without slowing down', () => {
    expect(cells(`"${'""'.repeat(1_000_000)}"`)[0]?.[0]).toHaveLength(1_000_000)
    expect(cells(','.repeat(1_000_000))[0]).toHaveLength(1_000_001)
  })
})
