import { expect, it } from 'vitest'
import { findWords } from './find-words.ts'

const words = ['ocean', 'sea', 'seaports', 'overseas'].map((word) => ({
  word,
  count: 1,
  files: 1,
  places: [],
}))

it.each([
  ['', 'ocean sea seaports overseas'],
  [' SEA ', 'sea seaports overseas'],
  ['port', 'seaports'],
  ['.*', ''],
])('finds by %j', (typed, found) => {
  expect(
    findWords(words, typed)
      .map(({ word }) => word)
      .join(' '),
  ).toBe(found)
})
