import { expect, it } from 'vitest'
import { explain } from '../methods/define.ts'
import { text } from './text.ts'

it.each([
  ['', true],
  ['abcd', true],
  ['abcde', false],
  ['😀😀', true],
  ['😀😀a', false],
  ['\ud800\ud800\ud800\ud800', true],
  ['é́', true],
  [7, false],
])('%j in four characters: %j', (value, ok) => {
  expect(text(4).safeParse(value).success).toBe(ok)
})

it.each(['abcde', '😀😀a'])('says the limit for %j', (value) => {
  const { error } = text(4).safeParse(value)
  expect(error && explain(error, value)).toBe(`args must have at most 4 characters, got "${value}"`)
})
