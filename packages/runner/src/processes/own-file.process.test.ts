import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { Refusal } from '@svc/contract/errors'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readOwnFile } from './own-file.ts'

const root = mkdtempSync(join(tmpdir(), 'svc-own-file-'))
const own = join(root, 'own')
const MAX = 16

beforeAll(() => {
  mkdirSync(join(own, 'sub'), { recursive: true })
  mkdirSync(join(root, 'own-not'))
  writeFileSync(join(own, 'in'), 'inside')
  writeFileSync(join(own, 'sub', 'deep'), 'deeper')
  writeFileSync(join(own, 'full'), 'x'.repeat(MAX))
  writeFileSync(join(own, 'large'), 'x'.repeat(MAX + 1))
  writeFileSync(join(own, 'empty'), '')
  writeFileSync(join(root, 'secret'), 'secret')
  writeFileSync(join(root, 'own-not', 'secret'), 'secret')
  symlinkSync('in', join(own, 'link-in'))
  symlinkSync('../secret', join(own, 'link-out'))
  symlinkSync(root, join(own, 'folder-out'))
  symlinkSync('round', join(own, 'round'))
  symlinkSync(own, join(root, 'alias'))
  execFileSync('sh', ['-c', 'mkfifo pipe'], { cwd: own })
  linkSync(join(own, 'in'), join(own, 'twin'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function read(path: string, folder = own): Promise<string> {
  try {
    return (await readOwnFile(folder, path, MAX)).toString()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `${error.code}: ${error.message.replaceAll(root, '')}`
  }
}

const outside = (path: string) =>
  `invalid_arg: path must be in the folder of the call, got ${JSON.stringify(path)}`
const unread = (path: string) =>
  `invalid_arg: path must be a file that can be read, got ${JSON.stringify(path)}`
const notPlain = (path: string) => `invalid_arg: path must be a plain file, got ${JSON.stringify(path)}`

verifies.each('wall.upload.path')([
  ['in', 'inside'],
  [join(own, 'in'), 'inside'],
  ['./sub/../in', 'inside'],
  ['sub/deep', 'deeper'],
  ['link-in', 'inside'],
  ['twin', 'inside'],
  ['empty', ''],
  ['full', 'x'.repeat(MAX)],
  ['large', `invalid_arg: a file must have at most ${MAX} bytes, got ${MAX + 1}`],
  ['../secret', outside('../secret')],
  ['../own/../secret', outside('../own/../secret')],
  ['../own-not/secret', outside('../own-not/secret')],
  ['link-out', outside('link-out')],
  ['folder-out/secret', outside('folder-out/secret')],
  ['folder-out/own/in', 'inside'],
  ['.', outside('.')],
  ['/etc/passwd', outside('/etc/passwd')],
  ['/proc/self/environ', outside('/proc/self/environ')],
  ['sub', notPlain('sub')],
  ['pipe', notPlain('pipe')],
  ['nothing', unread('nothing')],
  ['round', unread('round')],
  ['in\0', unread('in\0')],
])('reads %s as %s', async (path, expected) => {
  expect(await read(path)).toBe(expected)
})

it('knows a folder that is itself reached by a link', async () => {
  expect(await read('in', join(root, 'alias'))).toBe('inside')
  expect(await read(join(own, 'in'), join(root, 'alias'))).toBe('inside')
})

verifies('wall.upload.path', 'a folder that is swapped for a link meanwhile leads nowhere', async () => {
  const [real, fake] = [join(own, 'swapped'), join(own, 'aside')]
  mkdirSync(real)
  writeFileSync(join(real, 'secret'), 'harmless')
  symlinkSync(root, fake)
  let isOver = false
  const swapping = (async () => {
    while (!isOver) {
      renameSync(real, join(own, 'third'))
      renameSync(fake, real)
      await new Promise((next) => setImmediate(next))
      renameSync(real, fake)
      renameSync(join(own, 'third'), real)
      await new Promise((next) => setImmediate(next))
    }
  })()
  const seen = new Set<string>()
  for (let at = 0; at < 500; at++) seen.add(await read('swapped/secret'))
  isOver = true
  await swapping
  seen.add(await read('swapped/secret'))
  expect(seen).toContain('harmless')
  expect(seen).not.toContain('secret')
})
