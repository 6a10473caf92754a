import { expect, it } from 'vitest'
import { brokenLinks, headingsOf } from './markdown-links.ts'

const files = new Map([
  ['docs/words.md', '# Words\n\n## A `call`, once\n'],
  ['docs/images/shell.png', ''],
  ['docs', ''],
])
const look = (file: string) => files.get(file) ?? null

it.each([
  ['a page', '[a](words.md)', []],
  ['a heading', '[a](words.md#a-call-once)', []],
  ['a heading of its own', '# Here it is\n[a](#here-it-is)', []],
  ['an image with a title', '![a](images/shell.png "title")', []],
  ['a folder', '[a](../docs)', []],
  ['a reference', '[a]: words.md', []],
  ['somewhere else', '[a](https://a.site/x) [b](mailto:a@b.site)', []],
  ['code', '`[a](gone.md)`\n```\n[a](gone.md)\n```', []],
  ['a page that is gone', '[a](gone.md)', ['docs/a.md: gone.md names no file of this repository']],
  ['a reference that is gone', '[a]: gone.md', ['docs/a.md: gone.md names no file of this repository']],
  [
    'a heading that is gone',
    '[a](words.md#gone)',
    ['docs/a.md: words.md#gone names no heading of docs/words.md'],
  ],
])('reads %s', (_, text, findings) => {
  expect(brokenLinks({ file: 'docs/a.md', text }, look)).toEqual(findings)
})

it('names headings as the pages are shown', () => {
  const text = '# What stands, and what not\n```\n# a comment\n```\n### `svc dev`'
  expect([...headingsOf(text)]).toEqual(['what-stands-and-what-not', 'svc-dev'])
})
