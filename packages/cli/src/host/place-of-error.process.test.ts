import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runSvc } from '../testing/cli.ts'

// Here Node itself loads the config: a test has a loader of its own.
it.each([
  ['svc.config.js', 'export default {}', 'commonjs', 'Run npm pkg set type=module there'],
  ['svc.config.ts', 'export default {}', 'commonjs', 'Run npm pkg set type=module there'],
  ['svc.config.js', "import 'node:fs'\nexport default {}", 'commonjs', 'Run npm pkg set type=module there'],
  ['svc.config.js', 'module.exports = {}', 'module', 'Write import and export default'],
  ['svc.config.mjs', "export default { signIn: 'dev', data: 'memory' }", 'commonjs', null],
  ['svc.config.mts', "export default { signIn: 'dev', data: 'memory' }", 'commonjs', null],
])('svc serve tells how %s with %j is read in a package of type %s', async (name, text, type, hint) => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'svc-type-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  writeFileSync(path.join(cwd, name), text)
  writeFileSync(path.join(cwd, 'package.json'), JSON.stringify({ type }))
  const { code, err } = await runSvc(['serve', '--check'], { cwd })
  expect([code, err]).toEqual([hint === null ? 0 : 3, expect.stringContaining(hint ?? '')])
})

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
