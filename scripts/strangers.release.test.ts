import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect } from 'vitest'
import { verifies } from '../packages/conformance/src/verifies.ts'
import { packRelease } from './release/pack.ts'
import { layOut } from './testing/laid-out.ts'
import {
  bindings,
  host,
  others,
  type Program,
  page,
  tests,
  worker,
  writeProgram,
} from './testing/strangers.ts'

const SLOW_MS = 900_000
const root = path.resolve(import.meta.dirname, '..')
const exec = promisify(execFile)

/** From the oldest that our types hold for to the newest, one of each that changed how types are read or found. */
const versions = ['5.4.5', '5.5.4', '5.6.3', '5.7.3', '5.8.3', '5.9.3', '6.0.3', '7.0.2']
const programs: readonly Program[] = [page, bindings, worker, host, others]
/** The types of what tests use, Vite and Playwright among it, take the longest by far. */
const ends: readonly Program[] = [tests]

let home = ''
beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'svc-strangers-'))
  const { packages } = await packRelease(root, path.join(home, 'release'), '@svc')
  layOut(root, home, packages, {
    '@types/node': '.',
    '@types/react': 'packages/react',
    react: 'packages/react',
    svelte: 'packages/svelte',
    vue: 'packages/vue',
  })
}, SLOW_MS)
afterAll(() => rmSync(home, { recursive: true, force: true }))

const rows = versions.flatMap((version, at) => {
  const isEnd = at === 0 || at === versions.length - 1
  return [...programs, ...(isEnd ? ends : [])].map((program) => [version, program.name, program] as const)
})

verifies.each('packages.types')(rows)(
  'TypeScript %s compiles the program %s, however packages are looked for',
  async (version, _, program) => {
    const tsc = await compilerOf(version)
    for (const resolution of program.resolutions) {
      // Since 7 there is none.
      if (resolution === 'node10' && version.startsWith('7.')) continue
      const old = resolution === 'node10' && version.startsWith('6.') ? ['--ignoreDeprecations', '6.0'] : []
      const args = [tsc, '-p', writeProgram(home, program, resolution), '--pretty', 'false', ...old]
      const { stdout } = await exec(process.execPath, args).catch((error) => error)
      expect([resolution, stdout]).toEqual([resolution, ''])
    }
  },
  SLOW_MS,
)

/** The script of a TypeScript, installed once for this run. */
async function compilerOf(version: string): Promise<string> {
  const dir = path.join(home, `typescript-${version}`)
  if (!existsSync(dir)) {
    mkdirSync(dir)
    const args = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', dir, `typescript@${version}`]
    await exec('npm', args)
  }
  return path.join(dir, 'node_modules/typescript/bin/tsc')
}
