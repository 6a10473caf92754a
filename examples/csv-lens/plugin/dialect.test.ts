import { expect, it } from 'vitest'
import { dialectOf } from './dialect.ts'

it.each<[what: string, text: string, separator: string, skipped: number]>([
  ['nothing', '', ',', 0],
  ['one column', 'a\n1\n', ',', 0],
  ['the only mark', 'a|b\n1|2\n', '|', 0],
  ['marks in quotes, which do not count', '"a;b",c\n"d;e",f\n', ',', 0],
  ['a comma in each number', 'a;b\n1,5;2\n2,5;3\n', ';', 0],
  ['a comma in every cell', 'a,x;b,x\n1,5;2,5\n', ';', 0],
  ['a tab beside all others', 'a;b|c,d\te\n', '\t', 0],
  ['a row that is too short, which is refused later', 'a,b\n1,2\n3\n', ',', 0],
  ['a header that is too short, which is refused later', 'a,b\n1,2,3\n4,5,6\n', ',', 0],
  ['a title', 'Sales\na,b\n1,2\n', ',', 1],
  ['a title of a padded sheet', 'Sales;;\n;;\na;b;c\n1;2;3\n', ';', 2],
  ['more pairs than rows', `${'k;v\n'.repeat(5)}a;b;c;d\n1;2;3;4\n2;3;4;5\n`, ';', 5],
  ['a wide title apart', 'k;v;w\n\na;b;c;d\n1;2;3;4\n', ';', 1],
  ['comments', '# a, b; c, d\n# e\na;b\n1;2\n3;4\n', ';', 2],
  ['a header in a comment', '#a,b\n1,2\n', ',', 0],
  ['a told separator', 'sep=;\na,b;c\n', ';', 1],
  ['a told separator in quotes', '\ufeff"SEP=|"\r\na|b\n', '|', 1],
  ['a told separator of another kind, above a title', 'sep=^\nSales\na^b\n1^2\n', '^', 2],
  ['a told separator of a table of one column', 'sep=;\na\n1\n', ';', 1],
  ['a header named like it', 'sep=\n1\n', ',', 0],
])('finds the separator of a text with %s', (_what, text, separator, skipped) => {
  expect(dialectOf(text)).toEqual({ separator, skipped })
})
