import { limits } from '@svc/contract/limits'
import { expect, it } from 'vitest'
import { openLastWords, withLastWords } from './last-words.ts'

const node = `node:internal/modules/package_json_reader:301
  throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);
        ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@svc/plugin' imported from /app/plugin.ts
    at Object.getPackageJSONURL (node:internal/errors:301:9) {
  code: 'ERR_MODULE_NOT_FOUND'
}

Node.js v24.21.0
`
const python = `Traceback (most recent call last):
  File "/app/plugin.py", line 3, in <module>
    import weather
ModuleNotFoundError: No module named 'weather'
`

it.each([
  ['nothing', '', ''],
  [
    'a crash of Node',
    node,
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@svc/plugin' imported from /app/plugin.ts",
  ],
  ['a crash of Python', python, "ModuleNotFoundError: No module named 'weather'"],
  ['a last line without an end', 'one\ntwo', 'two'],
  ['what a terminal would obey', '\u001b[31mred\u001b[0m \u0007\u202eturned\r\n', 'red \\u0007\\u202eturned'],
  [
    'a secret',
    'no access with API_TOKEN=abc123 to https://me:pw@db.example',
    'no access with API_TOKEN=… to https://…@db.example',
  ],
])('of %s keeps what says most', (_, text, last) => {
  const words = openLastWords(limits)
  for (const half of [text.slice(0, 9), text.slice(9)]) words.take(Buffer.from(half))
  expect(words.last()).toBe(last)
})

it('keeps the end of a flood, and of a long line its beginning', () => {
  const words = openLastWords(limits)
  for (let line = 0; line < 10_000; line++) words.take(Buffer.from(`line ${line}\n`))
  expect(words.last()).toBe('line 9999')
  words.take(Buffer.from('x'.repeat(1_000)))
  expect(words.last()).toBe('x'.repeat(limits.NOISE_SHOWN_CHARS))
})

it.each([
  [{ stderr: 'no key' }, 'it ended (its stderr: no key)'],
  [{}, 'it ended.'],
  [undefined, 'it ended.'],
])('a sentence with %j', (details, sentence) => {
  expect(withLastWords('it ended.', details)).toBe(sentence)
})

it('says nothing twice', () => {
  const once = withLastWords('it ended.', { stderr: 'no key' })
  expect(withLastWords(once, { stderr: 'no key' })).toBe(once)
})
