import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MANIFEST } from '@svc/conformance/testing/archives'
import { limits } from '@svc/contract/limits'
import { create } from 'tar'
import { afterAll, describe, expect, test } from 'vitest'
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
    const { files } = await readArchive(type, readFileSync(file), limits)
    expect([...files.keys()].sort()).toEqual([long, 'index.html', 'manifest.json'].sort())
    expect(Buffer.from(files.get(long) ?? '').toString()).toBe('export {}')
  })
})

test('another media type is refused', async () => {
  await expect(readArchive('application/x-7z-compressed', Buffer.of(), limits)).rejects.toMatchObject({
    code: 'invalid_arg',
    message:
      'an archive must be one of application/gzip, application/x-tar, application/zip, got application/x-7z-compressed',
  })
})
