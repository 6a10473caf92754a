import { readFileSync } from 'node:fs'
import { verifies } from '@svc/conformance/verifies'
import { describe, expect } from 'vitest'
import { codeOf, openFiles } from '../../testing/files-host.ts'

describe('paths', () => {
  const names: string[] = JSON.parse(
    readFileSync(new URL('../../../../conformance/corpora/storage_keys.json', import.meta.url), 'utf8'),
  )
  const keys = names.flatMap((name) =>
    name.startsWith('<x repeated')
      ? ['x'.repeat(1_024)]
      : name === 'K vs k'
        ? ['K', 'k']
        : name.startsWith('é (NFC)')
          ? ['\u00e9', 'e\u0301']
          : [name],
  )
  /** What storage takes as a key and a path is not. */
  const refused = new Set(['', '../other-app/k', 'a/../b', 'a//b', 'a\0b', 'k\r\nDEL x'])

  verifies('files.paths', 'awkward ones are kept apart, those that lead elsewhere refused', async () => {
    const { call } = await openFiles()
    expect(keys.filter((key) => refused.has(key))).toHaveLength(refused.size)
    for (const [at, path] of keys.entries())
      expect([path, codeOf(await call('write', { path, text: `${at}` }))]).toEqual([
        path,
        refused.has(path) ? 'invalid_arg' : 'ok',
      ])
    const good = keys.filter((key) => !refused.has(key))
    for (const path of good)
      expect(await call('read', { path })).toMatchObject({ path, text: `${keys.indexOf(path)}` })
    const listed: { path: string }[] = (await call('list', { limit: 1_000 })).items
    expect(listed.map(({ path }) => path).sort()).toEqual([...good].sort())
  })

  verifies.each('files.paths')([
    ['/a'],
    ['a/'],
    ['/'],
    ['.'],
    ['..'],
    ['./a'],
    ['a/.'],
    ['a\\b'],
    ['..\\a'],
    ['a\u007fb'],
    ['a\tb'],
    ['\ud800'],
    ['x'.repeat(1_025)],
    [7],
    [null],
  ])('%j is refused by every method', async (path) => {
    const { call } = await openFiles()
    for (const method of ['read', 'stat', 'delete', 'write'])
      expect(codeOf(await call(method, { path, ...(method === 'write' && { text: '' }) }))).toBe(
        'invalid_arg',
      )
  })
})

describe('a list', () => {
  verifies('files.list', 'comes by prefix, a page at a time, with no wildcards', async () => {
    const { call } = await openFiles()
    for (const path of ['a%1', 'a%2', 'ab', 'a_', 'b/c', 'a*']) await call('write', { path, text: path })
    const pages: string[][] = []
    for (let cursor: string | null = null; ; ) {
      const page: { items: { path: string }[]; next_cursor: string | null } = await call('list', {
        prefix: 'a',
        limit: 2,
        cursor,
      })
      pages.push(page.items.map(({ path }) => path))
      cursor = page.next_cursor
      if (cursor === null) break
    }
    expect(pages).toEqual([['a%1', 'a%2'], ['a*', 'a_'], ['ab']])
    expect((await call('list', { prefix: 'a%' })).items).toHaveLength(2)
    expect((await call('list', { prefix: 'b/' })).items).toEqual([
      { ...(await call('stat', { path: 'b/c' })), path: 'b/c', mime: 'text/plain', size_bytes: 3 },
    ])
    expect(await call('list', { cursor: 'no cursor' })).toBe(
      'invalid_arg: cursor must be a next_cursor of this list',
    )
  })

  verifies.each('files.list')([
    [1, 'ok'],
    [1_000, 'ok'],
    [0, 'invalid_arg'],
    [1_001, 'invalid_arg'],
    ['10', 'invalid_arg'],
  ])('takes a limit of %j: %s', async (limit, expected) => {
    const { call } = await openFiles()
    expect(codeOf(await call('list', { limit }))).toBe(expected)
  })
})
