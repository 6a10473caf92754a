import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { loadedPackages } from '@svc/conformance/testing/loaded-packages'
import { expect, it, onTestFinished } from 'vitest'

const main = path.join(import.meta.dirname, 'main.ts')

it.each([{ words: ['--help'] }, { words: ['--version'] }, { words: ['plug', '--help'] }])(
  'svc $words reads the table of commands and none of them',
  async ({ words }) => {
    const loaded = await loadedPackages([main, ...words])
    const packages = loaded.filter((name) => !/^(node:|Internal)/.test(name))
    // Of contract the docs of errors: a table without zod.
    expect(packages.toSorted()).toEqual(['@svc/cli', '@svc/contract', 'citty'])
  },
)

it('keeps its compiled modules in a folder of its user, and not among the temporary files of all', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'svc-cache-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const env = {
    TMPDIR: path.join(dir, 'tmp'),
    HOME: path.join(dir, 'home'),
    XDG_CACHE_HOME: '',
  }
  await promisify(execFile)(process.execPath, [main, '--help'], { env })
  expect(await readdir(dir, { recursive: true })).toContain('home/.cache/svc')
  expect(await readdir(dir)).toEqual(['home'])
})
