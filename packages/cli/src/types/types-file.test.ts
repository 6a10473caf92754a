import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readProject } from '../project/project.ts'
import { makeTypesApp, type TypesApp } from '../testing/types-app.ts'
import { isStale, openTypesFile, typesNameOf, writeTypes } from './types-file.ts'

let app: TypesApp
let outside: TypesApp
beforeEach(() => {
  app = makeTypesApp()
  outside = makeTypesApp()
})
afterEach(() => {
  app.remove()
  outside.remove()
})

it('is beside the sources, or where package.json or the option says', () => {
  expect(typesNameOf(readProject(app.dir))).toBe('src/svc-env.d.ts')
  app.key({ types: 'types/tools.d.ts' })
  expect(typesNameOf(readProject(app.dir))).toBe('types/tools.d.ts')
  expect(typesNameOf(readProject(app.dir), 'a.d.ts')).toBe('a.d.ts')
})

it('is in the folder of the app where that has no src', () => {
  outside.remove()
  outside.put('index.html', '')
  outside.declare()
  expect(typesNameOf(readProject(outside.dir))).toBe('svc-env.d.ts')
})

it('is not for a built bundle, whose files are served', () => {
  app.put('built/manifest.json', app.read('public/manifest.json') ?? '')
  expect(() => typesNameOf(readProject(path.join(app.dir, 'built')))).toThrow(
    expect.objectContaining({
      kind: 'config',
      message: 'built is a built bundle, and each of its files is served to browsers',
    }),
  )
})

verifies('types.file', 'is written over where svc wrote it, whatever its lines end with', async () => {
  const file = await openTypesFile(app.dir, './src/../src/a.d.ts')
  expect(file).toEqual({ file: path.join(app.dir, 'src/a.d.ts'), name: 'src/a.d.ts', text: null })
  expect(isStale(file, '')).toBe(true)
  await writeTypes(file, '// Written by `svc types`: a\n')
  const again = await openTypesFile(app.dir, 'src/a.d.ts')
  expect(isStale(again, '// Written by `svc types`: a\n')).toBe(false)
  expect(isStale(again, '// Written by `svc types`: b\n')).toBe(true)
  app.put('src/a.d.ts', '// Written by `svc types`: a\r\n')
  expect(isStale(await openTypesFile(app.dir, 'src/a.d.ts'), '// Written by `svc types`: a\n')).toBe(false)
})

const elsewhere = 'Name a file inside of that folder.'
verifies.each('types.file')([
  ['../a.d.ts', 'is outside of ', elsewhere],
  ['src/../../a.d.ts', 'is outside of ', elsewhere],
  ['/a.d.ts', 'is outside of ', elsewhere],
  ['away/a.d.ts', 'is outside of ', elsewhere],
  ['gone/a.d.ts', 'is in a folder that is not there', 'Make the folder gone first.'],
  ['../gone/a.d.ts', 'is outside of ', elsewhere],
  ['link.d.ts', 'is no plain file', 'Name another one.'],
  ['folder.d.ts', 'is no plain file', 'Name another one.'],
  [
    'mine.d.ts',
    'was not written by svc, so it stays as it is',
    'Remove it, or name another file with --out.',
  ],
  [
    'empty.d.ts',
    'was not written by svc, so it stays as it is',
    'Remove it, or name another file with --out.',
  ],
  ['src/main.ts', 'must end with .d.ts, because it holds types alone', 'An example: src/svc-env.d.ts'],
  ['.', 'must end with .d.ts, because it holds types alone', 'An example: src/svc-env.d.ts'],
])('%s %s', async (name, what, hint) => {
  symlinkSync(outside.dir, path.join(app.dir, 'away'))
  symlinkSync(path.join(outside.dir, 'a.d.ts'), path.join(app.dir, 'link.d.ts'))
  mkdirSync(path.join(app.dir, 'folder.d.ts'))
  app.put('mine.d.ts', '\n// Written by `svc types`\n')
  app.put('empty.d.ts', '')
  await expect(openTypesFile(app.dir, name)).rejects.toMatchObject({
    kind: 'config',
    message: expect.stringContaining(`${name} ${what}`),
    hint,
  })
})

it('is found by a link to the folder of the app', async () => {
  symlinkSync(app.dir, path.join(outside.dir, 'linked'))
  const file = await openTypesFile(path.join(outside.dir, 'linked'), 'src/a.d.ts')
  await writeTypes(file, 'x')
  expect(app.read('src/a.d.ts')).toBe('x')
})
