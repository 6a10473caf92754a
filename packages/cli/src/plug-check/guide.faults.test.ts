import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkPlugin } from './check-plugin.ts'

const root = path.resolve(import.meta.dirname, '../../../..')
let cwd = ''

beforeAll(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'svc-guide-'))
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

/** The first block of a guide in a language that serves a plugin. */
function pluginIn(page: string, language: string): string {
  const guide = readFileSync(path.join(root, 'docs/guides', page), 'utf8')
  const blocks = [...guide.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))]
  const [, code] = blocks.find(([, text = '']) => /serve\(|sys\.stdin/.test(text)) ?? []
  if (code === undefined) throw new Error(`${page} has no plugin in ${language}`)
  return code
}

const forecast = { tool: 'forecast', args: { city: 'Rome' } }
/** About a second of work: a cancel comes in the middle of it. */
const primes = (below: number) => ({ tool: 'count_primes', args: { below } })

// They wait for the most part.
it.concurrent.each([
  ['plugins.md', 'ts', 'plugin.ts', 'node', forecast],
  ['plugins.md', 'python', 'plugin.py', 'python3', forecast],
  ['jobs.md', 'ts', 'primes.ts', 'node', primes(2_000_000)],
  ['jobs.md', 'python', 'primes.py', 'python3', primes(60_000)],
])('the plugin of %s in %s keeps the protocol', async (page, language, file, program, asked) => {
  const own = `'${path.join(root, 'packages/plugin/src/index.ts')}'`
  writeFileSync(path.join(cwd, file), pluginIn(page, language).replace(`'@svc/plugin'`, own))
  const call = { ...asked, timeoutMs: 60_000 }
  const findings = await checkPlugin({ command: [program, file], cwd, call })
  expect(findings.filter(({ verdict }) => verdict.kind === 'broken')).toEqual([])
  expect(findings.filter(({ verdict }) => verdict.kind === 'held').length).toBeGreaterThan(10)
})
