import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isBuilt } from './built.ts'
import { libraries, readManifest } from './libraries.ts'

/** Nine builds, nine packs and one installation on a busy machine. */
const SLOW_MS = 400_000
const root = path.resolve(import.meta.dirname, '..')
const dirs = [...libraries.map(({ dir }) => dir), 'packages/shell']
const exec = promisify(execFile)

let home = ''
let app = ''
/** Runs a command; `npm` is the machine's, on the Node of the workspace. */
const run = (cwd: string, file: string, ...args: string[]) => exec(file, args, { cwd, encoding: 'utf8' })

beforeAll(async () => {
  const stale = dirs.filter((dir) => !isBuilt(path.join(root, dir))).map((dir) => path.basename(dir))
  if (stale.length > 0) await run(root, 'node', 'scripts/build.ts', ...stale)

  // Packing rewrites package.json for a moment: other tests read those of the checkout.
  home = mkdtempSync(path.join(tmpdir(), 'svc-pack-'))
  const copy = path.join(home, 'copy')
  const isWanted = (file: string) => path.basename(file) !== 'node_modules'
  for (const name of ['packages', 'scripts', 'LICENSE', 'package.json', 'pnpm-lock.yaml'])
    cpSync(path.join(root, name), path.join(copy, name), {
      recursive: true,
      preserveTimestamps: true,
      filter: isWanted,
    })
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))

  app = path.join(home, 'app')
  mkdirSync(app)
  for (const dir of dirs) {
    const before = readFileSync(path.join(copy, dir, 'package.json'), 'utf8')
    await run(path.join(copy, dir), 'npm', 'pack', '--pack-destination', home)
    expect(readFileSync(path.join(copy, dir, 'package.json'), 'utf8')).toBe(before)
    expect(existsSync(path.join(copy, dir, 'LICENSE'))).toBe(false)
  }
  writeFileSync(path.join(app, 'package.json'), '{"private":true}')
  const tarballs = globSync('*.tgz', { cwd: home }).map((name) => path.join(home, name))
  expect(tarballs).toHaveLength(dirs.length)
  await run(app, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs)
}, SLOW_MS)
afterAll(() => rmSync(home, { recursive: true, force: true }))

it.each(dirs)('packs %s with a licence, a page, provenance, and nothing of the workspace', (dir) => {
  const installed = path.join(app, 'node_modules/@svc', path.basename(dir))
  const manifest = readFileSync(path.join(installed, 'package.json'), 'utf8')
  expect(manifest).not.toMatch(/workspace:|\.\/src\/|prepack|devDependencies/)
  expect(JSON.parse(manifest)).toMatchObject({ publishConfig: { access: 'public', provenance: true } })
  expect(
    ['README.md', 'LICENSE', 'dist', 'src'].filter((name) => existsSync(path.join(installed, name))),
  ).toEqual(['README.md', 'LICENSE', 'dist'])
})

const entries = (formats: 'esm' | 'cjs') =>
  libraries
    .filter((library) => library.formats.includes(formats))
    .flatMap(({ dir, vitest }) => {
      const { name, exports } = readManifest(path.join(root, dir))
      const runnable = Object.keys(exports).filter((entry) => !vitest?.includes(entry))
      return runnable.map((entry) => path.posix.join(name, entry))
    })

it.each([
  ['import', 'all.mjs', entries('esm').map((name) => `await import('${name}')`)],
  ['require', 'all.cjs', entries('cjs').map((name) => `require('${name}')`)],
])('takes every entry by %s', async (_, file, lines) => {
  writeFileSync(path.join(app, file), lines.join('\n'))
  expect(await run(app, 'node', file)).toEqual({ stdout: '', stderr: '' })
})

it('runs the suites of state on the driver of somebody else', async () => {
  symlinkSync(path.join(root, 'node_modules/vitest'), path.join(app, 'node_modules/vitest'))
  const code = `import { memoryBlobs, memoryBus, memoryStore } from '@svc/state'
    import { blobsSuite, busSuite, storeSuite } from '@svc/state/testing'
    storeSuite('mine', async () => memoryStore())
    busSuite('mine', async (clock) => memoryBus({ clock }))
    blobsSuite('mine', async () => memoryBlobs())`
  writeFileSync(path.join(app, 'driver.test.mjs'), code)
  const report = path.join(app, 'report.json')
  const args = ['run', '--testTimeout=60000', '--reporter=json', `--outputFile=${report}`]
  await run(app, process.execPath, 'node_modules/vitest/vitest.mjs', ...args)
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
  expect(numFailedTests).toBe(0)
  expect(numPassedTests).toBeGreaterThan(100)
})

it('starts a host', async () => {
  const code = `import { createHost } from '@svc/host'
    const host = createHost({ harness: true })
    const { url } = await host.listen(0)
    console.log((await fetch(url + '/healthz')).status)
    await host.close()`
  writeFileSync(path.join(app, 'host.mjs'), code)
  expect(await run(app, 'node', 'host.mjs')).toEqual({ stdout: '200\n', stderr: '' })
})

it('calls a tool with the installed command', async () => {
  const code = `import { serve, tool } from '@svc/plugin'
    const add = tool({ description: 'Adds.', run: ({ a, b }) => ({ sum: a + b }) })
    serve({ name: 'sums', version: '1.0.0', tools: { add } })`
  writeFileSync(path.join(app, 'plugin.mjs'), code)
  const args = ['plug', 'call', '--json', '--args', '{"a":1,"b":2}', '--', 'node', 'plugin.mjs']
  const { stdout } = await run(app, 'node_modules/.bin/svc', ...args)
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, output: { sum: 3 } })
})

it('types the calls of tools with the installed packages', async () => {
  const code = `import { serve, tool } from '@svc/plugin'
    const parameters = [{ name: 'a', type: 'number', required: true }]
    const outputSchema = { type: 'array', items: { type: 'number' } }
    serve({ name: 'sums', tools: { add: tool({ parameters, outputSchema, run: ({ a }) => [a] }) } })`
  const typed = path.join(app, 'typed')
  mkdirSync(typed)
  writeFileSync(path.join(typed, 'package.json'), '{"type":"module"}')
  writeFileSync(path.join(typed, 'plugin.js'), code)
  await run(typed, '../node_modules/.bin/svc', 'plug', 'types', '--', 'node', 'plugin.js')
  const call = (args: string) => `svc.tools.invoke({ tool_id: 'sums', method: 'add', args: ${args} })`
  const lines = [
    `import { svc } from '@svc/sdk'`,
    `export const first = async () => (await ${call('{ a: 1 }')}).value[0]?.toFixed()`,
    `export const wrong = ${call(`{ a: 'one' }`)}`,
  ]
  writeFileSync(path.join(typed, 'app.ts'), lines.join('\n'))
  const tsc = path.join(root, 'node_modules/.bin/tsc')
  const files = ['svc-tools.d.ts', 'app.ts']
  const options = ['--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext', '--pretty', 'false']
  const { stdout } = await run(typed, tsc, ...options, '--ignoreConfig', ...files).catch((error) => error)
  expect(stdout.trim().split('\n')).toEqual([
    expect.stringMatching(
      /^app\.ts\(3,\d+\): error TS2322: Type 'string' is not assignable to type 'number'\.$/,
    ),
  ])
})
