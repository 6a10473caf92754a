import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runSvc } from '../testing/cli.ts'

// Here Node itself loads the config: a test has a loader of its own.
it.each([
  ['a.mjs', 'export default {\n  x: ;\n}', 'a.mjs:2:6 could not be loaded: Unexpected token'],
  ['a.ts', 'export default {\n  x: ;\n}', 'a.ts:2 could not be loaded: '],
  ['b.mjs', 'export {}\nthrow new Error("boom")', 'b.mjs:2:7 could not be loaded: boom'],
])('svc serve says where %s fails to load', async (name, text, sentence) => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'svc-place-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  writeFileSync(path.join(cwd, name), text)
  const { code, err } = await runSvc(['serve', '--check', '--config', name], { cwd })
  expect([code, err]).toEqual([3, expect.stringContaining(sentence)])
})
