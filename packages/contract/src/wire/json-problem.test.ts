import { rounds } from '@svc/conformance/rounds'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonProblem, placeIn } from './json-problem.ts'

function said(text: string): string | null {
  const problem = jsonProblem(text)
  if (problem === null) return null
  const { line, column } = placeIn(text, problem.at)
  return `${line}:${column} ${problem.what}`
}

describe('what is not JSON', () => {
  it.each([
    ['nothing', '', '1:1 is empty; the shortest JSON is {}'],
    ['spaces', ' \n ', '2:2 is empty; the shortest JSON is {}'],
    ['a comment of a line', '{\n  "a": 1,\n  // why\n  "b": 2\n}', '3:3 has a comment; JSON has none'],
    ['a comment before all', '/* a */ {}', '1:1 has a comment; JSON has none'],
    ['a comment behind all', '{} // a', '1:4 has a comment; JSON has none'],
    ['a comment of a shell', '# a\n{}', '1:1 has a comment; JSON has none'],
    ['a comment of HTML', '<!-- a -->{}', '1:1 has a comment; JSON has none'],
    ['a comment with CRLF before', '{\r\n  "a": 1, // b\r\n}', '2:11 has a comment; JSON has none'],
    ['a comma at the end', '{"a": 1,}', '1:8 has a comma before }; JSON has none there'],
    ['a comma at the end of a list', '[1,\n2,\n]', '2:2 has a comma before ]; JSON has none there'],
    ['two commas', '[1,,2]', '1:4 has a comma with nothing before it'],
    ['a comma first', '{,"a":1}', '1:2 has a comma with nothing before it'],
    ['single quotes', "{'a': 1}", '1:2 has a text in \' quotes; JSON takes "double quotes"'],
    ['a value in single quotes', `{"a": 'b'}`, '1:7 has a text in \' quotes; JSON takes "double quotes"'],
    ['backticks', '{"a": `b`}', '1:7 has a text in ` quotes; JSON takes "double quotes"'],
    ['smart quotes', '{“a”: 1}', '1:2 has the typographic quote “; JSON takes the plain "'],
    ['German quotes', '{"a": „b“}', '1:7 has the typographic quote „; JSON takes the plain "'],
    ['French quotes', '{"a": «b»}', '1:7 has the typographic quote «; JSON takes the plain "'],
    ['a name without quotes', '{name: 1}', '1:2 has the name name without quotes; write "name"'],
    ['a number as a name', '{1: 2}', '1:2 has 1 where a name in double quotes should be'],
    ['a value without quotes', '{"a": hello}', '1:7 has hello as a value; a text is in "double quotes"'],
    ['NaN', '[NaN]', '1:2 has NaN as a value; JSON has no such number'],
    ['Infinity', '[Infinity]', '1:2 has Infinity as a value; JSON has no such number'],
    ['-Infinity', '[-Infinity]', '1:2 has -Infinity as a value; JSON has no such number'],
    ['undefined', '{"a": undefined}', '1:7 has undefined as a value; write null, or leave it out'],
    ['True of Python', '{"a": True}', '1:7 has True as a value; write true'],
    ['None of Python', '{"a": None}', '1:7 has None as a value; write null'],
    ['NULL', '{"a": NULL}', '1:7 has NULL as a value; write null'],
    ['a plus', '[+1]', '1:2 has the number +1; JSON writes numbers as 12, -0.5 or 1e3'],
    ['a leading zero', '[01]', '1:2 has the number 01; JSON writes numbers as 12, -0.5 or 1e3'],
    ['hexadecimal', '[0xff]', '1:2 has the number 0xff; JSON writes numbers as 12, -0.5 or 1e3'],
    ['a leading dot', '[.5]', '1:2 has the number .5; JSON writes numbers as 12, -0.5 or 1e3'],
    ['a dot at the end', '[5.]', '1:2 has the number 5.; JSON writes numbers as 12, -0.5 or 1e3'],
    ['underscores', '[1_000]', '1:2 has the number 1_000; JSON writes numbers as 12, -0.5 or 1e3'],
    [
      'more digits than are kept',
      '[12345678901234567890]',
      '1:2 has the number 12345678901234567890, which cannot be kept as it is; write it as a text',
    ],
    [
      'what is too large',
      '[1e999]',
      '1:2 has the number 1e999, which cannot be kept as it is; write it as a text',
    ],
    ['a BigInt', '[1n]', '1:2 has the number 1n; JSON writes numbers as 12, -0.5 or 1e3'],
    ['no comma', '{\n  "a": 1\n  "b": 2\n}', '3:3 has no comma before "b"'],
    ['no comma in a list', '[1 2]', '1:4 has no comma before 2'],
    ['a semicolon', '{"a": 1; "b": 2}', '1:8 has no comma before ;'],
    ['no colon', '{"a" 1}', '1:6 has no colon after the name "a"'],
    ['an equals sign', '{"a" = 1}', '1:6 has no colon after the name "a"'],
    ['no value', '{"a": }', '1:7 has } where a value should be'],
    ['an end too early', '{\n"a": [1', '2:8 ends too early: the [ of line 2 is not closed'],
    ['an end behind a comma', '{\n"a": 1,', '2:8 ends too early: the { of line 1 is not closed'],
    ['an end behind a name', '{"a"', '1:5 ends too early: the { of line 1 is not closed'],
    ['an end in a text', '{"a": "b', '1:7 has a text that does not end; a " closes it'],
    ['the other bracket', '{"a": [1}', '1:9 has } in place of ]: the [ of line 1 is open'],
    [
      'a line break in a text',
      '{"a": "b\nc"}',
      '1:9 has a text that does not end in its line; a line break is written \\n',
    ],
    ['a tab in a text', '{"a": "b\tc"}', '1:9 has a tab in a text; it is written \\t'],
    ['a control character in a text', '["\u0001"]', '1:3 has the control character U+0001 in a text'],
    ['a path of Windows', '{"a": "C:\\Users"}', '1:10 has \\U in a text; a backslash is written \\\\'],
    ['an escape of JavaScript', '["\\x41"]', '1:3 has \\x in a text; a backslash is written \\\\'],
    ['half an escape', '["\\u12"]', '1:3 has \\u in a text; a backslash is written \\\\'],
    [
      'a space that does not break',
      '{"a":\u00a01}',
      '1:6 has the character U+00A0, which cannot be seen; JSON takes plain spaces',
    ],
    [
      'a mark inside',
      '{\ufeff}',
      '1:2 has the character U+FEFF, which cannot be seen; JSON takes plain spaces',
    ],
    ['more behind the end', '{}{}', '1:3 goes on after its end with {'],
    ['a bracket too many', '{}}', '1:3 goes on after its end with }'],
    [
      'a name twice',
      '{\n"a": 1,\n"a": 2}',
      '3:1 has the name "a" twice in one object; the first is in line 2',
    ],
    [
      'a name twice, once escaped',
      '{"a": 1, "\\u0061": 2}',
      '1:10 has the name "a" twice in one object; the first is in line 1',
    ],
    ['a merge', '{\n<<<<<<< HEAD\n"a": 1}', '2:1 has the mark of a merge that was not ended'],
    ['JavaScript', 'export default {}', '1:1 has export as a value; a text is in "double quotes"'],
    ['YAML', 'name: x', '1:1 has name as a value; a text is in "double quotes"'],
    ['HTML', '<!doctype html>', '1:1 has <!doctype where a value should be'],
    ['lines that end with CR alone', '{\r"a": 1\r"b": 2}', '3:1 has no comma before "b"'],
  ])('%s', (_, text, problem) => {
    expect(said(text)).toBe(problem)
  })

  it('nests too deep', () => {
    expect(said('['.repeat(2_000_000))).toBe('1:1001 nests deeper than 1000 levels')
  })
})

it.each(['{}', ' [1, -0.5e+3, "\\u00e9\\n", true, null]\r\n', '"a"', '0', '{"a":{"a":1}}', '"\u007f\u2028"'])(
  'takes %j',
  (text) => {
    expect(said(text)).toBeNull()
  },
)

it('agrees with the parser about any text', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"b\\n"',
    '1',
    '-0',
    '.5',
    'e',
    'null',
    ' ',
    '\n',
    "'",
    '\\',
    '"',
  )
  const broken = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.nat(3), piece)
    .map(([text, at, cut, more]) => {
      const from = at % (text.length + 1)
      return text.slice(0, from) + more + text.slice(from + cut)
    })
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        broken,
        fc.array(piece, { maxLength: 12 }).map((all) => all.join('')),
      ),
      (text) => {
        const problem = jsonProblem(text)
        if (problem === null) JSON.parse(text)
        else if (!/ twice |cannot be kept/.test(problem.what))
          expect(() => JSON.parse(text)).toThrow(SyntaxError)
      },
    ),
    { numRuns: rounds(2_000) },
  )
})
