import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openBed } from '../testing/bed.ts'
import { markOwner, sweep } from './sweep.ts'

let place = ''
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'svc-sweep-'))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

/** A folder as a runner makes it, of this process. */
function made(name: string) {
  const folder = join(place, name)
  mkdirSync(folder)
  markOwner(folder)
  mkdirSync(join(folder, 'p1'))
  return folder
}

const own = (folder: string) => JSON.parse(readFileSync(join(folder, 'owner'), 'utf8'))
const rewrite = (folder: string, more: object) =>
  writeFileSync(join(folder, 'owner'), JSON.stringify({ ...own(folder), ...more }))
const isRoot = process.getuid?.() === 0

const rows: [what: string, isRemoved: boolean, change: (folder: string) => void][] = [
  ['whose owner has ended', true, (folder) => rewrite(folder, { pid: spawnSync('true').pid })],
  ['whose number another process has now', true, (folder) => rewrite(folder, { started: '1' })],
  ['whose owner lives', false, () => {}],
  ['of another boot or namespace', false, (folder) => rewrite(folder, { pid: 1, started: '1', among: 'x' })],
  ['that names no owner', false, (folder) => rmSync(join(folder, 'owner'))],
  ['whose owner is not JSON', false, (folder) => writeFileSync(join(folder, 'owner'), 'me')],
  ['whose owner is a number', false, (folder) => writeFileSync(join(folder, 'owner'), '5')],
  [
    'whose owner is a pipe',
    false,
    (folder) => {
      rmSync(join(folder, 'owner'))
      spawnSync('mkfifo', [join(folder, 'owner')])
    },
  ],
  [
    'whose owner is a link',
    false,
    (folder) => {
      rewrite(folder, { started: '1' })
      spawnSync('mv', [join(folder, 'owner'), join(place, 'owner')])
      symlinkSync(join(place, 'owner'), join(folder, 'owner'))
    },
  ],
  ...(isRoot
    ? [
        [
          'of another user',
          false,
          (folder: string) => {
            rewrite(folder, { started: '1' })
            chownSync(folder, 12_345, 12_345)
          },
        ] as [string, boolean, (folder: string) => void],
      ]
    : []),
]

verifies.each('wall.plugin.folder.left')(rows)('a folder %s: removed %s', async (_, isRemoved, change) => {
  const folder = made('svc-runner-a')
  change(folder)
  await sweep(place, limits)
  expect(existsSync(folder)).toBe(!isRemoved)
})

verifies('wall.plugin.folder.left', 'no link is followed, and no other name is touched', async () => {
  const other = made('other')
  rewrite(other, { started: '1' })
  symlinkSync(other, join(place, 'svc-runner-link'))
  writeFileSync(join(place, 'svc-runner-file'), '')
  await sweep(place, limits)
  expect(readdirSync(place).sort()).toEqual(['other', 'svc-runner-file', 'svc-runner-link'])
  expect(existsSync(join(other, 'p1'))).toBe(true)
})

test.each([
  ['so many folders', { SWEEP_FOLDERS_MAX: 1 }],
  ['so many names', { SWEEP_NAMES_MAX: 1 }],
])('a start removes at most %s', async (_, small) => {
  for (const name of ['svc-runner-a', 'svc-runner-b']) rewrite(made(name), { started: '1' })
  await sweep(place, { ...limits, ...small })
  expect(readdirSync(place)).toHaveLength(1)
})

verifies('wall.plugin.folder.left', 'the next runner removes what a killed one left', async () => {
  const runner = new URL('../runner.ts', import.meta.url).href
  const script = `import { createRunner } from ${JSON.stringify(runner)}
    const runner = createRunner({ workDir: ${JSON.stringify(place)} })
    await runner.describe({ id: 'x', version: '1', command: ['true'] })
    console.log('there')
    setInterval(() => {}, 1000)`
  const killed = spawn(process.execPath, ['--input-type=module', '-e', script])
  await once(killed.stdout, 'data')
  const [left = ''] = readdirSync(place)
  const first = openBed({ workDir: place })
  await first.call('echo')
  expect(existsSync(join(place, left))).toBe(true)
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  const second = openBed({ workDir: place })
  await second.call('echo')
  await vi.waitFor(() => expect(existsSync(join(place, left))).toBe(false), 10_000)
  expect(readdirSync(place)).toHaveLength(2)
  await Promise.all([first.runner.close(), second.runner.close()])
  expect(readdirSync(place)).toEqual([])
})
