import { expect, it } from 'vitest'
import { commonWords } from './common-words.ts'

/** Own words in brackets. */
const show = (pieces: ReturnType<typeof commonWords>[number]) =>
  pieces.map(({ text, common }) => (common ? text : `[${text}]`)).join('')

it.each([
  ['red, white, and blue', 'red, white, and blue', 'red, white, and blue', 'red, white, and blue'],
  ['mild and wet; windy', 'mild winters; windy', 'mild[ and wet]; windy', 'mild[ winters]; windy'],
  ['Two stations (2014)', 'two radio stations', 'Two stations (2014)', 'two[ radio] stations'],
  ['one', 'two', '[one]', '[two]'],
  ['', 'two', '', '[two]'],
  ['12 + 3', '12 + 3', '[12 + 3]', '[12 + 3]'],
])('compares %j with %j', (a, b, left, right) => {
  expect(commonWords(a, b).map(show)).toEqual([left, right])
})
