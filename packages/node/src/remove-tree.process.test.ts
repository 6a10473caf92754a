import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rounds } from '@svc/conformance/rounds'
import { afterAll, describe, expect, it } from 'vitest'
import { removeTree } from './remove-tree.ts'

const root = mkdtempSync(join(tmpdir(), 'svc-remove-'))
afterAll(() => rmSync(root, { recursive: true }))

let count = 0
/** A fresh folder. */
function folder(): string {
  const made = join(root, `at${++count}`)
  mkdirSync(made)
  return made
}
function deep(at: string, levels: number): void {
  const inner = 'd'
  let path = at
  const from = process.cwd()
  try {
    for (let level = 0; level < levels; level++) {
      process.chdir(path)
      mkdirSync(inner)
      path = inner
    }
  } finally {
    process.chdir(from)
  }
}

describe('removing a tree', () => {
  it.each<[string, (at: string) => void]>([
    ['that is empty', () => {}],
    [
      'with files, links and folders',
      (at) => {
        mkdirSync(join(at, 'a/b/c'), { recursive: true })
        mkdirSync(join(at, 'a/empty'))
        for (const name of ['x', 'a/x', 'a/b/x', 'a/b/c/x']) writeFileSync(join(at, name), name)
        symlinkSync('/no/such', join(at, 'a/nowhere'))
      },
    ],
    [
      'whose folders may be neither read nor written',
      (at) => {
        mkdirSync(join(at, 'shut/in'), { recursive: true })
        writeFileSync(join(at, 'shut/in/file'), '')
        chmodSync(join(at, 'shut/in'), 0)
        chmodSync(join(at, 'shut'), 0)
      },
    ],
    [
      'with names that are no text',
      (at) => {
        const name = Buffer.concat([Buffer.from(`${at}/`), Buffer.from([0xff, 0xfe])])
        mkdirSync(name)
        writeFileSync(Buffer.concat([name, Buffer.from('/'), Buffer.from([0x80])]), '')
      },
    ],
    ['that is deeper than a path may be long', (at) => deep(at, 2_500)],
    [
      'with many files',
      (at) => {
        for (let n = 0; n < 2_000; n++) writeFileSync(join(at, `${n}`), '')
      },
    ],
  ])('%s leaves nothing', async (_name, fill) => {
    const at = folder()
    fill(at)
    await removeTree(at)
    expect(existsSync(at)).toBe(false)
  })

  it('removes a file, and a link but not what it leads to', async () => {
    const at = folder()
    writeFileSync(join(at, 'file'), '')
    symlinkSync(join(at, 'file'), join(at, 'link'))
    await removeTree(join(at, 'link'))
    expect(readdirSync(at)).toEqual(['file'])
    await removeTree(join(at, 'file'))
    expect(readdirSync(at)).toEqual([])
  })

  it.each(['missing', 'missing/below', 'file/below'])('takes %s for removed', async (name) => {
    const at = folder()
    writeFileSync(join(at, 'file'), '')
    await removeTree(join(at, name))
    expect(readdirSync(at)).toEqual(['file'])
  })
})

/** Puts a link in the place of folders, and back, as fast as it can (`renameat2` with `RENAME_EXCHANGE`). */
const SWAP = `
$| = 1; chdir shift; print "ready";
while (1) { for my $n (0 .. 19) { my ($d, $l) = ("d$n", "l$n"); syscall(316, -100, $d, -100, $l, 2) } }`
const FOLDERS = 20
const FILES = 50
const isSwapped = process.platform === 'linux' && process.arch === 'x64'

describe('removing a tree whose folders are swapped for links meanwhile', () => {
  it('touches nothing that they lead to', async ({ skip }) => {
    skip(!isSwapped, 'the number of the call that swaps is that of Linux on x64')
    const kept = folder()
    for (let n = 0; n < 200; n++) writeFileSync(join(kept, `${n}`), '')
    for (let round = 0; round < rounds(1_000, 6); round++) {
      const at = folder()
      for (let n = 0; n < FOLDERS; n++) {
        mkdirSync(join(at, `d${n}`))
        symlinkSync(kept, join(at, `l${n}`))
        for (let file = 0; file < FILES; file++) writeFileSync(join(at, `d${n}/${file}`), '')
      }
      const swapper = spawn('perl', ['-e', SWAP, at], { stdio: ['ignore', 'pipe', 'ignore'] })
      await once(swapper.stdout, 'data')
      await removeTree(at).finally(() => swapper.kill('SIGKILL'))
      await once(swapper, 'exit')
      expect([round, readdirSync(kept).length, existsSync(at)]).toEqual([round, 200, false])
    }
  })
})
