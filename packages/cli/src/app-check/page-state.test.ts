import { expect, it } from 'vitest'
import { saysMore, stateProblems } from './page-state.ts'

it.each([
  ['the same text', 'Notes\nDone.', 'Notes\nDone.', false],
  ['a clock that went on', 'Notes 10:59:59', 'Notes 11:00:00', false],
  ['a count that went on', '3 notes', '4 notes', false],
  ['less than before', 'Notes\nLoading', 'Notes', false],
  ['why it stays', 'Notes\nDone.', 'Notes\nA note is not saved.', true],
  ['why it stays, in other letters', 'Заметки', 'Заметки не сохранены', true],
])('tells whether a page says more: %s', (_, before, after, more) => {
  expect(saysMore(before, after)).toBe(more)
})

it.each([
  [null, ['at work its document gave no answer within 1000 ms: it hangs']],
  [{ text: '', hasContent: false, longestTaskMs: 0 }, ['at work it showed nothing']],
  [
    { text: 'Notes', hasContent: true, longestTaskMs: 1_500.4 },
    ['at work one task kept its main thread busy for 1500 ms'],
  ],
  [{ text: 'Notes', hasContent: true, longestTaskMs: 1_000 }, []],
])('says what is wrong with %j', (state, problems) => {
  expect(stateProblems(state, 'at work')).toEqual(problems)
})
