import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { linkPackages } from './link-packages.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-lend-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const put = (name: string, text: string) => {
  mkdirSync(path.dirname(path.join(dir, name)), { recursive: true })
  writeFileSync(path.join(dir, name), text)
}
const plugin = ['node', 'plugin.ts']

it.each([
  ['an app without a package.json', { 'public/manifest.json': '' }, ['@svc/sdk']],
  ['a plugin', { 'plugin.ts': `import { serve } from '@svc/plugin'` }, ['@svc/plugin']],
  ['a bundle that is built already', { 'manifest.json': '', 'index.html': '' }, []],
  ['a plugin in Python that speaks of ours', { 'plugin.py': '# as @svc/plugin does' }, []],
  ['a plugin on bare pipes', { 'plugin.ts': `import readline from 'node:readline'` }, []],
  ['types for an editor', { 'tsconfig.json': '{}' }, ['@types/node']],
  [
    'what package.json names, of ours alone',
    named('@svc/host', '@svc/cli', 'react'),
    ['@svc/cli', '@svc/host'],
  ],
  ['a package.json that is not JSON', { 'package.json': '{' }, []],
])('lends what is needed: %s', (_, files, names) => {
  for (const [name, text] of Object.entries(files)) put(name, text)
  expect(linkPackages(dir, [plugin, ['python3', 'plugin.py']])).toEqual(names)
  expect(linkPackages(dir, [plugin])).toEqual([])
  expect(existsSync(path.join(dir, 'node_modules'))).toBe(names.length > 0)
})

it('has a plugin find @svc/plugin when it is started by hand too', () => {
  put('plugin.mjs', `import { tool } from '@svc/plugin'\nconsole.log(typeof tool)`)
  linkPackages(dir, [['node', 'plugin.mjs']])
  expect(String(execFileSync(process.execPath, ['plugin.mjs'], { cwd: dir }))).toBe('function\n')
})

it('replaces a link that leads nowhere, as a copy of node_modules leaves it', () => {
  put('public/manifest.json', '')
  mkdirSync(path.join(dir, 'node_modules/@svc'), { recursive: true })
  symlinkSync('../../../gone', path.join(dir, 'node_modules/@svc/sdk'))
  expect(linkPackages(dir)).toEqual(['@svc/sdk'])
  expect(readdirSync(path.join(dir, 'node_modules/@svc/sdk'))).toContain('package.json')
})

it('leaves what is installed as it is, here or in a folder above', () => {
  put('node_modules/@svc/sdk/package.json', '{}')
  put('inner/public/manifest.json', '')
  expect(linkPackages(path.join(dir, 'inner'))).toEqual([])
})

function named(...names: string[]): Record<string, string> {
  return {
    'package.json': JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, '*'])) }),
  }
}
