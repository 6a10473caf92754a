import { expect, it } from 'vitest'
import { merge } from './merge.ts'

const text = (lines: string) => lines.split(' ').join('\n')

it.each([
  ['nothing changed', 'a b c', 'a b c', 'a b c', 'a b c', 0],
  ['only mine changed', 'a b c', 'a x c', 'a b c', 'a x c', 0],
  ['only theirs changed', 'a b c', 'a b c', 'a x c', 'a x c', 0],
  ['both changed alike', 'a b c', 'a x c', 'a x c', 'a x c', 0],
  ['each changed another line', 'a b c d', 'x b c d', 'a b c y', 'x b c y', 0],
  ['both added at different ends', 'b', 'a b', 'b c', 'a b c', 0],
  ['mine removed what theirs left', 'a b c', 'a c', 'a b c', 'a c', 0],
  ['both changed the same line', 'a b c', 'a x c', 'a y c', 'a x y c', 1],
  ['both added at the same end', 'a', 'a x', 'a y', 'a x y', 1],
  ['mine removed what theirs changed', 'a b c', 'a c', 'a y c', 'a y c', 1],
  ['two places clash', 'a b c d e', 'a 1 c 2 e', 'a 3 c 4 e', 'a 1 3 c 2 4 e', 2],
])('%s', (_what, base, mine, theirs, merged, clashes) => {
  expect(merge(text(base), text(mine), text(theirs))).toEqual({ text: text(merged), clashes })
})

it('reads every line break alike and writes line feeds', () => {
  expect(merge('a\r\nb', 'a\nb\nmine', 'theirs\r\na\r\nb').text).toBe('theirs\na\nb\nmine')
})
