import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@svc/contract/limits'
import { create } from 'tar'
import { afterAll, describe, expect, test } from 'vitest'
import { MANIFEST, tarOf } from '@svc/conformance/fixtures/archives'
import { readArchive } from './read.ts'

const scratch = mkdtempSync(join(tmpdir(), 'svc-archive-'))
afterAll(() => rmSync(scratch, { recursive: true }))

describe('archives that tar writes', () => {
  const cwd = join(scratch, 'app')
  const long = `assets/${'long-'.repeat(30)}.js`
  mkdirSync(join(cwd, 'assets'), { recursive: true })
  writeFileSync(join(cwd, 'manifest.json'), MANIFEST)
  writeFileSync(join(cwd, 'index.html'), '<!doctype html>')
  writeFileSync(join(cwd, long), 'export {}')

  test.each([
    ['application/gzip', { gzip: true }],
    ['application/x-tar', { gzip: false }],
    ['application/x-tar', { gzip: false, portable: true }],
  ])('are read as %s (%j)', async (type, options) => {
    const file = join(scratch, 'made.tar')
    await create({ ...options, cwd, file }, ['.'])
    const push = await readArchive(type, readFileSync(file), limits)
    expect(push.manifest).toEqual({ name: 'x' })
    expect([...push.files.keys()].sort()).toEqual([long, 'index.html'].sort())
    expect(Buffer.from(push.files.get(long) ?? '').toString()).toBe('export {}')
  })
})

test.each([
  [
    'no manifest',
    [{ name: 'index.html' }],
    'manifest.json must stand at the root beside the files of the bundle',
  ],
  ['nothing at all', [], 'manifest.json must stand at the root beside the files of the bundle'],
  [
    'a manifest in a folder',
    [{ name: 'app/manifest.json', body: MANIFEST }],
    'manifest.json must stand at the root beside the files of the bundle',
  ],
  ['a manifest that is no JSON', [{ name: 'manifest.json', body: '{' }], 'manifest.json must be JSON'],
  [
    'a manifest that is no UTF-8',
    [{ name: 'manifest.json', body: Buffer.from([0x22, 0xff, 0x22]) }],
    'manifest.json must be UTF-8',
  ],
  [
    'a manifest that nests too deep',
    [{ name: 'manifest.json', body: '['.repeat(65) + ']'.repeat(65) }],
    'manifest.json must nest at most 64 levels deep',
  ],
])('%s is refused', async (_what, entries, message) => {
  const read = readArchive('application/x-tar', tarOf(...entries), limits)
  await expect(read).rejects.toMatchObject({ code: 'invalid_arg', message })
})

test('another media type is refused', async () => {
  await expect(readArchive('application/x-7z-compressed', Buffer.of(), limits)).rejects.toMatchObject({
    code: 'invalid_arg',
    message:
      'an archive must be one of application/gzip, application/x-tar, application/zip, got application/x-7z-compressed',
  })
})
