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
  const long = text.repeat(200_000)
  const startMs = performance.now()
  plainLine(long)
  expect(performance.now() - startMs).toBeLessThan(2_000)
})
