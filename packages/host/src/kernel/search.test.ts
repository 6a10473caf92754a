import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { openSearch } from './search.ts'

verifies.each('route.list.search')<[search: string | undefined, texts: readonly string[], isFound: boolean]>([
  [undefined, [], true],
  ['', ['Notes'], true],
  [' \n ', ['Notes'], true],
  ['note', ['Notes'], true],
  ['NOTES', ['notes'], true],
  ['sky', ['Notes'], false],
  ['notes sky', ['My notes', 'sky'], true],
  ['sky  notes', ['My notes', 'sky'], true],
  ['notes rain', ['My notes', 'sky'], false],
  // A word is never found across two texts.
  ['notessky', ['notes', 'sky'], false],
  ['cafe', ['Café'], true],
  ['CAFÉ', ['cafe\u0301'], true],
  ['strasse', ['Straße'], true],
  ['ﬁnd', ['find it'], true],
  ['日本', ['日本語'], true],
  // Nothing in it is a pattern.
  ['.*', ['Notes'], false],
  ['a.c', ['a.c'], true],
  ['%', ['Notes'], false],
  ['\\', ['Notes'], false],
  ['[', ['a[b'], true],
  ['\ud800', ['Notes'], false],
])('%j in %j: %s', (search, texts, isFound) => {
  expect(openSearch(search)(texts)).toBe(isFound)
})
