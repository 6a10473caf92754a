import { expect, it } from 'vitest'
import { lineDiff } from './line-diff.ts'

it.each([
  ['a\nb\nc', 'a\nb\nc', []],
  ['a\nb\nc', 'a\nx\nc', ['- b', '+ x']],
  ['a\r\nb', 'a\nb', []],
  ['', 'a', ['- ', '+ a']],
])('of %j and %j it is %j', (before, after, lines) => {
  expect(lineDiff(before, after).sort()).toEqual([...lines].sort())
})

it('shows twenty lines, and says how many more there are', () => {
  const lines = lineDiff('', Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n'))
  expect(lines).toHaveLength(21)
  expect(lines.at(-1)).toBe('… and 21 more')
})
