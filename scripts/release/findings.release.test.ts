import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findingsOf } from './findings.ts'
import type { PackedPackage } from './pack.ts'

let dir = ''
let found: readonly string[] = []

/** A package with one mistake for each rule. */
const files = {
  'package.json': JSON.stringify({
    name: 'wrong',
    version: '1.0.0',
    type: 'module',
    license: 'Apache-2.0',
    files: ['dist', 'src'],
    exports: {
      '.': { import: { types: './dist/index.d.ts', default: './dist/index.js' }, require: './dist/index.js' },
      './gone': './dist/gone.js',
    },
    dependencies: { other: 'workspace:*' },
  }),
  'README.md': '# wrong',
  'src/index.ts': 'export const one = 1',
  'dist/index.js': 'export const one = 1',
  'dist/index.d.ts': 'export declare const one = 1',
  'dist/index.test.js': '',
}

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-findings-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true })
    writeFileSync(path.join(dir, name), text)
  }
  const packed = JSON.parse(execFileSync('npm', ['pack', '--json'], { cwd: dir, encoding: 'utf8' }))
  const [one] = Object.values(packed) as PackedPackage[]
  if (!one) throw new Error('npm packed nothing')
  const library = { dir, platform: 'neutral', formats: ['esm', 'cjs'] } as const
  found = await findingsOf({ ...one, size: 2 * 1024 * 1024, file: path.join(dir, one.filename), library })
})
afterAll(() => rmSync(dir, { recursive: true }))

it.each([
  ['an entry that is not in it', /^publint: .*gone\.js/],
  ['a module that can only be required in name', /^attw: .*CJSResolvesToESM/],
  ['a link of the workspace', /^package\.json has "workspace:"$/],
  ['no licence', /^LICENSE is missing$/],
  ['a source', /^src\/index\.ts is a source/],
  ['a test', /^dist\/index\.test\.js is for developing$/],
  ['too many bytes', /^it has 2097152 bytes, more than 1048576$/],
])('finds %s', (_, sentence) => {
  expect(found.filter((finding) => sentence.test(finding))).not.toEqual([])
})
