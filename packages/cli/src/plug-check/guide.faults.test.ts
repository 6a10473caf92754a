import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkPlugin } from './check-plugin.ts'

const root = path.resolve(import.meta.dirname, '../../../..')
const guide = readFileSync(path.join(root, 'docs/guides/plugins.md'), 'utf8')
let cwd = ''

beforeAll(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'svc-guide-'))
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const exampleIn = (language: string) => {
  const [, code] = guide.match(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's')) ?? []
  if (code === undefined) throw new Error(`the guide has no example in ${language}`)
  return code
}

it.each([
  ['ts', 'plugin.ts', 'node'],
  ['python', 'plugin.py', 'python3'],
])('the example in %s keeps the protocol', async (language, file, program) => {
  const own = `'${path.join(root, 'packages/plugin/src/index.ts')}'`
  writeFileSync(path.join(cwd, file), exampleIn(language).replace(`'@svc/plugin'`, own))
  const call = { tool: 'forecast', args: { city: 'Rome' }, timeoutMs: 10_000 }
  const findings = await checkPlugin({ command: [program, file], cwd, call })
  expect(findings.filter(({ verdict }) => verdict.kind === 'broken')).toEqual([])
  expect(findings.filter(({ verdict }) => verdict.kind === 'held').length).toBeGreaterThan(10)
})
