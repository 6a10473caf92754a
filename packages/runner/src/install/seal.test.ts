import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, expect } from 'vitest'
import { openSeal, sealFolder } from './seal.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-seal-'))
  mkdirSync(at('node_modules/a'), { recursive: true })
  for (const name of ['index.js', 'node_modules/a/index.js', 'node_modules/a/package.json'])
    writeFileSync(at(name), `// ${name}`)
  symlinkSync('../index.js', at('node_modules/link'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string) => join(folder, name)
const rewrite = (name: string, text: string) => {
  const { atime, mtime } = statSync(at(name))
  writeFileSync(at(name), text)
  utimesSync(at(name), atime, mtime)
}
const swapIn = (name: string, text: string) => {
  writeFileSync(`${folder}.new`, text, { mode: statSync(at(name)).mode })
  renameSync(`${folder}.new`, at(name))
}
const change = async (work: () => void) => {
  const seal = openSeal(folder, await sealFolder(folder), 2)
  expect(await seal.change()).toBeNull()
  work()
  return seal
}

verifies.each('install.sealed')<[string, () => void, string]>([
  ['other content', () => writeFileSync(at('index.js'), '// evil'), 'index.js'],
  ['other content of one length and time', () => rewrite('index.js', '// iNdex.js'), 'index.js'],
  ['another file under its name', () => swapIn('index.js', '// iNdex.js'), 'index.js'],
  ['another mode', () => chmodSync(at('index.js'), 0o777), 'index.js'],
  ['a file less', () => rmSync(at('node_modules/a/index.js')), 'node_modules/a/index.js'],
  ['a file more', () => writeFileSync(at('node_modules/a/evil.js'), ''), 'node_modules/a'],
  ['a folder more', () => mkdirSync(at('node_modules/b')), 'node_modules'],
  ['a file more at the top', () => writeFileSync(at('evil.js'), ''), ''],
  ['another mode of the whole folder', () => chmodSync(folder, 0o755), ''],
  [
    'a file where a folder was',
    () => {
      rmSync(at('node_modules/a'), { recursive: true })
      writeFileSync(at('node_modules/a'), '')
    },
    'node_modules/a/index.js',
  ],
  [
    'another link',
    () => {
      rmSync(at('node_modules/link'))
      symlinkSync('../index.jz', at('node_modules/link'))
    },
    'node_modules/link',
  ],
  [
    'a link to where the file went',
    () => {
      renameSync(at('index.js'), `${folder}.js`)
      symlinkSync(`${folder}.js`, at('index.js'))
    },
    'index.js',
  ],
])('%s is found', async (_name, work, path) => {
  const seal = await change(work)
  expect(await seal.change()).toBe(path)
  expect(await seal.change()).toBe(path)
  rmSync(`${folder}.js`, { force: true })
})

verifies.each('install.sealed')<[string, () => void]>([
  ['a time', () => utimesSync(at('index.js'), 1, 1)],
  ['an inode, as a backup that is put back does', () => swapIn('index.js', '// index.js')],
  [
    'the time of a folder',
    () => {
      writeFileSync(at('x'), '')
      rmSync(at('x'))
    },
  ],
])('%s alone may change, and costs one reading', async (_name, work) => {
  const seal = await change(work)
  expect(await seal.change()).toBeNull()
  expect(await seal.change()).toBeNull()
  expect(readFileSync(at('index.js'), 'utf8')).toBe('// index.js')
})
