import { expect, it } from 'vitest'
import { plainLine, withoutSecrets } from './plain-text.ts'

it.each([
  ['API_TOKEN=abc rest', 'API_TOKEN=… rest'],
  ['x-auth-key: Bearer abc rest', 'x-auth-key: Bearer … rest'],
  ['{"client_secret" : "abc"}', '{"client_secret" : …'],
  ['url=https://me:pw@db.example/?password=abc', 'url=https://…@db.example/?password=…'],
  ['the author is Ada', 'the author is Ada'],
  ['authority', 'authority'],
])('%s', (text, shown) => {
  expect(withoutSecrets(text)).toBe(shown)
})

it.each(['auth', 'token-', 'secret_', '//a', '\u001b[1;', 'a '])('reads many times %j in one go', (text) => {
  // Read again from each place, so many would take longer than a test may.
  expect(plainLine(text.repeat(500_000))).not.toBe('')
})
