import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readProject } from './project.ts'
import { exampleFolders } from './workspace.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-project-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const put = (name: string, text = '{}') => {
  const file = path.join(dir, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

it('reads a project that Vite builds, with its plugins', () => {
  put('index.html')
  put('public/manifest.json')
  put('package.json', '{"svc":{"plugins":[{"slug":"a","command":["a"]}],"storage":"persistent"}}')
  expect(readProject(dir)).toEqual({
    name: path.basename(dir),
    dir,
    bundleDir: path.join(dir, 'dist'),
    built: 'by vite',
    plugins: [{ slug: 'a', command: ['a'] }],
    storage: 'persistent',
  })
})

it('reads a bundle that is built already', () => {
  put('index.html')
  put('manifest.json')
  expect(readProject(dir)).toMatchObject({ bundleDir: dir, built: 'already', plugins: [] })
})

it.each([
  ['a folder that is not there', () => readProject(path.join(dir, 'gone')), 'there is no folder'],
  ['an empty folder', () => readProject(dir), 'holds no app'],
  [
    'a package.json that is none',
    () => {
      put('manifest.json')
      put('package.json', '{')
      return readProject(dir)
    },
    'package.json:1:2 ends too early',
  ],
])('refuses %s', (_, read, sentence) => {
  expect(read).toThrow(sentence)
  expect(read).toThrow(expect.objectContaining({ kind: 'config' }))
})

it('finds the examples of the workspace from any folder in it', () => {
  put('pnpm-workspace.yaml', '')
  put('examples/b/index.html')
  put('examples/a/index.html')
  put('examples/notes.txt')
  put('packages/x/package.json')
  const found = ['a', 'b'].map((name) => path.join(dir, 'examples', name))
  expect(exampleFolders(path.join(dir, 'packages/x'))).toEqual(found)
})

it('says so where there is no workspace', () => {
  expect(() => exampleFolders(dir)).toThrow('no folder was named')
})
