import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeFolder } from './write-folder.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-write-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const files = new Map([
  ['index.html', Buffer.from('<p>')],
  ['a/b/c.js', Buffer.from('1')],
])
const at = (name: string) => path.join(dir, name)
const write = (name: string, signal = new AbortController().signal) => writeFolder(at(name), files, signal)

const fill = (name: string) => {
  mkdirSync(at('app'))
  writeFileSync(path.join(at('app'), name), '')
}
const linkToEmpty = () => {
  mkdirSync(at('real'))
  symlinkSync('real', at('app'))
}

it.each([
  ['is not there', () => undefined],
  ['is empty', () => mkdirSync(at('app'))],
])('writes into a folder that %s', async (_what, prepare) => {
  prepare()
  await write('app')
  expect(readFileSync(at('app/a/b/c.js'), 'utf8')).toBe('1')
  expect(readdirSync(dir)).toEqual(['app'])
})

verifies.each('cli.pull.whole')<[what: string, prepare: () => void, name: string, says: string]>([
  ['has a file', () => fill('x'), 'app', 'has files'],
  ['has a hidden file', () => fill('.x'), 'app', 'has files'],
  ['is a file', () => writeFileSync(at('app'), ''), 'app', 'is not a folder'],
  ['is a link to an empty folder', linkToEmpty, 'app', 'is not a folder'],
  ['is a link to nothing', () => symlinkSync('gone', at('app')), 'app', 'is not a folder'],
  ['is in no folder', () => undefined, 'gone/app', 'there is no folder'],
])('writes nothing where the place %s', async (_what, prepare, name, says) => {
  prepare()
  const before = readdirSync(dir, { recursive: true })
  await expect(write(name)).rejects.toMatchObject({ kind: 'config', message: expect.stringContaining(says) })
  expect(readdirSync(dir, { recursive: true })).toEqual(before)
})

it('writes nothing into the current folder', async () => {
  const none = new AbortController().signal
  const cwd = process.cwd()
  await expect(writeFolder(cwd, files, none)).rejects.toMatchObject({ kind: 'config' })
})

verifies('cli.pull.whole', 'leaves nothing where it is stopped, or a file cannot be written', async () => {
  await expect(write('app', AbortSignal.abort())).rejects.toThrow()
  expect(readdirSync(dir)).toEqual([])
  const clash = new Map([...files, ['index.html/x', Buffer.from('')] as const])
  await expect(writeFolder(at('app'), clash, new AbortController().signal)).rejects.toMatchObject({
    kind: 'config',
    message: expect.stringContaining('could not be written'),
  })
  expect(readdirSync(dir)).toEqual([])
})

verifies('cli.pull.whole', 'leaves what somebody else put there meanwhile', async () => {
  // The signal is asked before each file.
  const signal = { throwIfAborted: () => void mkdirSync(at('app/own'), { recursive: true }) }
  await expect(write('app', signal as AbortSignal)).rejects.toMatchObject({
    kind: 'config',
    message: expect.stringContaining('has files by now'),
  })
  expect(readdirSync(dir, { recursive: true }).toSorted()).toEqual(['app', 'app/own'])
})

it.runIf(existsSync('/proc/self/fd'))(
  'writes nowhere else where somebody puts a link in the place of its own folder meanwhile',
  async () => {
    mkdirSync(at('victim'))
    const swapping = new Map(files)
    swapping[Symbol.iterator] = function* () {
      yield* [...files].slice(0, 1)
      const [scratch = ''] = readdirSync(dir).filter((name) => name.startsWith('.svc-pull-'))
      renameSync(at(scratch), at('moved'))
      symlinkSync('victim', at(scratch))
      yield* [...files].slice(1)
      return undefined
    }
    await writeFolder(at('app'), swapping, new AbortController().signal)
    expect(readdirSync(at('victim'))).toEqual([])
    expect(readFileSync(at('app/a/b/c.js'), 'utf8')).toBe('1')
  },
)

it.runIf(existsSync('/proc/self/fd'))(
  'removes nothing of another folder that somebody puts in the place of its own meanwhile',
  async () => {
    mkdirSync(at('victim'))
    writeFileSync(at('victim/precious'), '')
    const swap = (): void => {
      const [scratch = ''] = readdirSync(dir).filter((name) => name.startsWith('.svc-pull-'))
      renameSync(at(scratch), at('moved'))
      renameSync(at('victim'), at(scratch))
      throw new Error('stopped')
    }
    await expect(writeFolder(at('app'), files, { throwIfAborted: swap } as AbortSignal)).rejects.toThrow(
      'stopped',
    )
    const left = readdirSync(dir, { recursive: true }).map(String)
    expect(left.filter((name) => name.endsWith('precious'))).toHaveLength(1)
    expect(readdirSync(at('moved'))).toEqual([])
  },
)
