import { expect, it } from 'vitest'
import { cursorsOf } from './cursors.ts'

const own = cursorsOf('epoch', 'ann')

it.each([0, 1, 35, 36, 10_000, 2 ** 40])('reads its own cursor of %i', (seq) => {
  expect(own.read(own.write(seq))).toBe(seq)
})

it.each([
  ['another user', cursorsOf('epoch', 'bob').write(3)],
  ['another epoch', cursorsOf('later', 'ann').write(3)],
  ['a user and epoch that read alike side by side', cursorsOf('epochann', '').write(3)],
  ['nothing', ''],
  ['no number', own.write(3).slice(0, -1)],
  ['a sign', own.write(3).replace('.', '.-')],
  ['a second way to write it', own.write(3).replace('.', '.0')],
  ['capitals', own.write(35).replace('.z', '.Z')],
  ['a number beyond all journals', `${own.write(3)}zzzzzzzzzzzz`],
  ['a tail', `${own.write(3)}\n`],
])('reads nothing in %s', (_, cursor) => {
  expect(own.read(cursor)).toBeNull()
})
