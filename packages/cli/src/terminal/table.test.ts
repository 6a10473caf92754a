import { expect, it } from 'vitest'
import { table } from './table.ts'

it('puts rows into columns', () => {
  expect(
    table(
      ['slug', 'name'],
      [
        ['notes', 'My notes'],
        ['a', ''],
      ],
    ),
  ).toBe('  slug   name\n  notes  My notes\n  a')
})

it.each([
  ['\u001b[2J', '\\u001b[2J'],
  ['\n', ' '],
  ['\r', ' '],
  ['\u202e', '\\u202e'],
  ['\u2028', ' '],
  ['\u0007', '\\u0007'],
])('shows %j of a name as it is written', (text, shown) => {
  expect(table(['name'], [[`a${text}b`]])).toBe(`  name\n  a${shown}b`)
})
