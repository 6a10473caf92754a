import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect } from 'vitest'
import { excerpt } from './excerpt.ts'

const KEY = 'sk-proj-AbC123xyz789'

verifies.each('wall.model_keys')([
  [`Incorrect API key provided: ${KEY}.`, 'Incorrect API key provided: […]'],
  ['Incorrect API key provided: sk-pr***z789.', 'Incorrect API key provided: […]'],
  [`no access with "Bearer ${KEY}"`, 'no access with "Bearer […]'],
  [`{"key":"${KEY.toUpperCase()}"}`, '[…]'],
  ['your key ends in z789', 'your key ends in […]'],
  ['use gsk_Zz0 or hf_Yy1', 'use […] or […]'],
  ['try aB3dE5gH7jK9mN1p', 'try […]'],
  ['model "llama-3.1-70b-instruct-q4_K_M" not found', 'model "llama-3.1-70b-instruct-q4_K_M" not found'],
  ['The model `gpt-4o-2024-08-06` does not exist', 'The model `gpt-4o-2024-08-06` does not exist'],
  ['two\u202e words', 'two\\u202e words'],
  ['x '.repeat(200), `${'x '.repeat(150)}…`],
])('of the words %j the log gets %j', (words, kept) => {
  expect(excerpt(words, [KEY])).toBe(kept)
})

verifies(
  'wall.model_keys',
  'no piece of a key of four characters is in the log, whatever is around it',
  () => {
    const letter = fc.constantFrom(...'abcdefXYZ0189-_./+=')
    const key = fc.array(letter, { minLength: 4, maxLength: 40 }).map((letters) => letters.join(''))
    const around = fc.string({ maxLength: 20 })
    fc.assert(
      fc.property(key, around, around, fc.nat(), fc.nat(), (secret, before, after, from, size) => {
        const start = from % (secret.length - 3)
        const piece = secret.slice(start, start + 4 + (size % secret.length))
        expect(excerpt(`${before}${piece}${after}`, [secret])).not.toContain(piece)
      }),
      { numRuns: rounds(500) },
    )
  },
)
