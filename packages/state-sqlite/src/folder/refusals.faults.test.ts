import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { bundleProcess } from '@svc/conformance/testing/bundle-process'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openFolder } from '../index.ts'
import { folderBytes } from '../testing/folder-bytes.ts'

/** A user that may write nothing. */
const NOBODY = '65534'
const FOR_ALL = 0o755
const READ_ONLY = 0o555

let dir: string
let whole: string
const children: ChildProcess[] = []
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'svc-refusals-'))
  whole = path.join(dir, 'whole')
  const at = (file: string) => path.join(import.meta.dirname, '..', file)
  await bundleProcess(path.join(dir, 'bin'), { open: at('testing/open.ts') })
  const folder = await openFolder(whole)
  await folder.bus.journal.append('journal', 1, ['1'])
  await folder.close()
  for (const each of [dir, whole, path.join(dir, 'bin')]) await chmod(each, FOR_ALL)
})
afterAll(() => rm(dir, { recursive: true, force: true }))
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** Starts a process that opens a folder, behind other words of a command line; resolves with what it says. */
async function openedBy(before: readonly string[], ...args: readonly string[]) {
  const [command = '', ...words] = [...before, process.execPath, path.join(dir, 'bin', 'open.mjs'), ...args]
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, said: JSON.parse(line) as Record<string, string> }
}

/** The words that have the process be a user who may not write; root itself may always. */
const asNobody = process.getuid?.() === 0 ? [NOBODY] : []
const onReadOnlyDisk = ['bwrap', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc']

it.each([
  [
    'a new folder where this user may not write',
    [],
    'locked/data',
    asNobody,
    /cannot be used: this user may not write there$/,
  ],
  [
    'a folder that this user may not write',
    [],
    'whole',
    asNobody,
    /whole cannot be used: .*(this user may not|for this user)/,
  ],
  [
    'a new folder on a read-only disk',
    onReadOnlyDisk,
    'data',
    [],
    /data cannot be used: it cannot be made there, as on a disk that is read-only$/,
  ],
  ['a folder on a read-only disk', onReadOnlyDisk, 'whole', [], /whole cannot be used: .*the disk is/],
] as const)('%s is refused with a sentence', async (_, before, name, args, sentence) => {
  const locked = path.join(dir, 'locked')
  await mkdir(locked, { recursive: true })
  for (const each of [locked, whole]) await chmod(each, READ_ONLY)
  const bytes = folderBytes(whole)
  const { said } = await openedBy(before, path.join(dir, name), ...args)
  expect(said).toMatchObject({
    name: 'FolderError',
    code: 'not_usable',
    message: expect.stringMatching(sentence),
  })
  expect(said.hint).toMatch(/^Choose .*\.$/)
  expect(folderBytes(whole)).toEqual(bytes)
  await chmod(whole, FOR_ALL)
})

it('a second process is refused by the first, which is named, until that is killed', async () => {
  const folder = path.join(dir, 'shared')
  const first = await openedBy([], folder)
  expect(first.said).toEqual({ opened: folder })
  const second = await openedBy([], folder)
  expect(second.said).toEqual({
    name: 'FolderError',
    code: 'in_use',
    message: `the data folder ${folder} is in use by process ${first.child.pid}`,
    hint: 'Stop that process first, or choose another folder: one host at a time can use a folder.',
  })
  const exit = once(first.child, 'exit')
  first.child.kill('SIGKILL')
  await exit
  expect((await openedBy([], folder)).said).toEqual({ opened: folder })
})

it('a folder that is asked for twice in one process stays locked for others', async () => {
  const folder = path.join(dir, 'twice')
  const { close } = await openFolder(folder)
  await expect(openFolder(folder)).rejects.toMatchObject({ code: 'in_use' })
  expect((await openedBy([], folder)).said).toMatchObject({ name: 'FolderError', code: 'in_use' })
  await close()
  expect((await openedBy([], folder)).said).toEqual({ opened: folder })
})
