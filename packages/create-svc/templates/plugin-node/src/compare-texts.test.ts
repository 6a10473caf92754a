import { expect, it } from 'vitest'
import { compareTexts } from './compare-texts.ts'

const line = (number: number, text: string) => ({ line: number, text })

it.each([
  ['the same', 'a\nb', 'a\nb', { same: 2, removed: [], added: [] }],
  ['nothing at all', '', '', { same: 1, removed: [], added: [] }],
  ['a line in between', 'a\nc', 'a\nb\nc', { same: 2, removed: [], added: [line(2, 'b')] }],
  ['a line less', 'a\nb\nc', 'a\nc', { same: 2, removed: [line(2, 'b')], added: [] }],
  ['another line', 'a\nb\nc', 'a\nx\nc', { same: 2, removed: [line(2, 'b')], added: [line(2, 'x')] }],
  ['two that changed places', 'a\nb', 'b\na', { same: 1, removed: [line(1, 'a')], added: [line(2, 'a')] }],
])('tells %s', (_, before, after, difference) => {
  expect(compareTexts(before, after)).toEqual(difference)
})

it('refuses texts that make too many pairs', () => {
  expect(() => compareTexts('\n'.repeat(6_000), '\n'.repeat(6_000))).toThrow(
    'the texts are too long to compare: 6001 and 6001 lines',
  )
})
