import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { didYouMeanPath } from './near-path.ts'

const root = mkdtempSync(path.join(tmpdir(), 'svc-near-'))
mkdirSync(path.join(root, 'examples/notes'), { recursive: true })
writeFileSync(path.join(root, 'examples/notes/manifest.json'), '')
afterAll(() => rmSync(root, { recursive: true }))

it.each([
  ['its last part', 'examples/ntoes', 'examples/notes'],
  ['a part before it', 'exampels/notes', 'examples/notes'],
  ['all parts', 'exampel/note/manifest.jsn', 'examples/notes/manifest.json'],
  ['a part behind ..', 'examples/../exmples/notes/', 'examples/notes'],
  ['no part that is near', 'examples/chart', null],
  ['what lies in a file', 'examples/notes/manifest.json/x', null],
])('finds the path that was meant, wrong in %s', (_, wrong, meant) => {
  const said = didYouMeanPath(path.join(root, wrong))
  expect(said).toBe(meant === null ? '' : `; did you mean \`${path.join(root, meant)}\`?`)
})
