/** Tables on which two languages or two parsers are likely to differ; `figuresOf` reads them too. */
export const TABLES: [what: string, csv: string][] = [
  ['a header alone', 'a,b'],
  ['unnamed and repeated columns', ',x,x\n1,2,3\n'],
  ['every line end at once', 'a,b\r\n1,"x\r\ny"\r2,"x\ry"\n3,"x\ny"'],
  ['blank lines and a byte order mark', '\ufeffa\n\n1\n\r\n\r2\n""\n'],
  ['quotes of every kind', 'a,b\n"""",5" pipe\n"",x"y"\n"a,""b""",\n'],
  ['line ends of Unicode', 'a\n1\u2028\n2\u2029\n3\u0085\n4\u000b\n5\u000c\n6\u001c\n'],
  ['texts that two orders of strings part', 'a\n😀\n\uffff\n\ue000\n\ud7ff\nz\n'],
  ['ties among the most frequent', 'a\nz\n😀\n\uffff\nb\nB\né\nz\n'],
  ['names that objects know', '__proto__,constructor\n__proto__,toString\nvalueOf,__proto__\n'],
  ['decimals with noise', `a\n${Array.from({ length: 97 }, (_, at) => `${at % 13}.${at}`).join('\n')}\n`],
  ['negative numbers and minus zero', 'a\n-0\n-1.5\n2.25e1\n-.5\n+3.\n'],
]

/** Tables that the independent check, exact and of whole texts, describes otherwise: the plugins must agree. */
export const EXTREMES: [what: string, csv: string][] = [
  ['numbers near the range of a double', 'a\n1.7976931348623157e308\n-1.7976931348623157e308\n1e308\n'],
  ['the smallest numbers', 'a\n5e-324\n-5e-324\n1e-310\n'],
  ['edges that end in a tie', 'a\n1700000000000\n1700000000002\n1700000000001\n'],
  ['edges that end in a tie below zero', 'a\n-1700000000000\n-1700000000002\n-1700000000001\n'],
  ['neighbouring doubles', 'a\n9007199254740990\n9007199254740991\n9007199254740992\n'],
  ['sums that lose every digit', 'a\n1e16\n1\n-1e16\n1e-16\n1e100\n-1e100\n'],
  ['an edge of more digits than are kept', 'a\n0.1\n0.2\n0.30000000000000004\n0.3\n'],
  ['past the range of a double', 'a\n1e308\n1e309\n'],
  ['digits of other scripts', 'a\n١٢\n1\n'],
  ['a text past the length that is shown', `${'é'.repeat(200)}\n${'😀'.repeat(121)}\n${'😀'.repeat(120)}\n`],
  ['blanks around cells and quotes', ' a , "b "\t,c\n1 ,\t2, " 3"\n \n'],
  ['half a surrogate pair', 'a\n\ud83d\n\ude00\n\ude00\ud83d\n\ufffe\n'],
]

/** Sentences of refusals, and a text that each refuses. */
export const FAILURES: [sentence: string, csv: string][] = [
  ['the CSV is empty, it needs a header row', ''],
  ['the CSV is empty, it needs a header row', '\ufeff\r\n'],
  ['the CSV holds a NUL character, so it is not text', 'a\0'],
  ['row 4 must have as many cells as the header (2), got 1', 'a,b\n\n1,2\n3\n'],
  ['row 3 must have as many cells as the header (2), got 3', 'a,b\n\n1,2,3\n'],
  ['row 2 has a quoted cell that is never closed', 'a,b\n1,"2\n3,4'],
  ["row 2 has text after a closing quote, where only a separator or the row's end may stand", 'a\n"1"2\n'],
  ['the header has 501 cells, at most 500 columns can be described', ','.repeat(500)],
]

/** What tables are made of, and what trips their readers; most of the texts made of it are refused. */
export const PIECES = [
  ';',
  '\t',
  '|',
  '# ',
  'sep=',
  '1.234,5-',
  ',',
  ',',
  '\n',
  '\n',
  '\r',
  '\r\n',
  '"',
  '""',
  'a',
  '1',
  '-0',
  '.5',
  'e3',
  ' ',
  '😀',
  '\uffff',
  '\u2028',
]
