import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { verifies } from '../../packages/conformance/src/verifies.ts'
import { driftOf } from './drift.ts'
import { type Follower, followers } from './followers.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-drift-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const plugin = followers.find(({ example }) => example === 'plugin-python') as Follower
const copy = (example: string) =>
  cpSync(path.join('examples', example), dir, {
    recursive: true,
    filter: (file: string) => path.basename(file) !== 'node_modules',
  })

verifies('create.examples', 'finds nothing where examples are what their templates are', () => {
  expect(followers.flatMap((one) => driftOf(path.join('examples', one.example), one))).toEqual([])
  expect(followers.map(({ example }) => example).sort()).toEqual(
    globSync('examples/*/package.json')
      .map((file) => path.basename(path.dirname(file)))
      .sort(),
  )
})

it('names a file that changed, and one that is gone', () => {
  copy('plugin-python')
  writeFileSync(path.join(dir, 'plugin.py'), '')
  rmSync(path.join(dir, 'README.md'))
  expect(driftOf(dir, plugin)).toEqual([
    `${dir}/README.md is missing: plugin-python has it`,
    `${dir}/plugin.py is not what plugin-python has; run npm run examples`,
  ])
})

it.each([
  ['index.html', '<title>Notes</title>', '<title>Other</title>', ['app-vanilla']],
  ['index.html', '<main', '<main id="own"', []],
  ['index.html', '    <script', '    <link rel="stylesheet" href="./src/own.css" />\n    <script', []],
  ['package.json', 'svc dev .', 'vite', ['app-vanilla']],
  ['package.json', '"storage": "persistent"', '"storage": "window-state"', []],
])('holds what an example shares with its template: %s, %s as %s', (file, from, to, templates) => {
  copy('notes')
  const notes = followers.find(({ example }) => example === 'notes') as Follower
  const text = readFileSync(path.join(dir, file), 'utf8')
  expect(text).toContain(from)
  writeFileSync(path.join(dir, file), text.replace(from, to))
  const sentence = (template: string) => `${dir}/${file} is not what ${template} has; run npm run examples`
  expect(driftOf(dir, notes)).toEqual(templates.map(sentence))
})

it('refuses a file as its own that the template does not have', () => {
  expect(() => driftOf(dir, { ...plugin, own: ['gone.ts'] })).toThrow('plugin-python has no gone.ts')
})
