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

/** A build and a pack of each package, and one installation, on a busy machine. */
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

/** Runs a test file of somebody else with Vitest; returns how many of its tests passed and failed. */
async function runTests(file: string, code: string): Promise<readonly [passed: number, failed: number]> {
  for (const name of ['vitest', 'happy-dom']) {
    const link = path.join(app, 'node_modules', name)
    if (!existsSync(link)) symlinkSync(path.join(root, 'node_modules', name), link)
  }
  writeFileSync(path.join(app, file), code)
  const report = path.join(app, `${file}.json`)
  const args = ['run', file, '--testTimeout=60000', '--reporter=json', `--outputFile=${report}`]
  await run(app, process.execPath, 'node_modules/vitest/vitest.mjs', ...args)
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
  return [numPassedTests, numFailedTests]
}

it('runs the suites of state on the driver of somebody else', async () => {
  const code = `import { memoryBlobs, memoryBus, memoryStore } from '@svc/state'
    import { blobsSuite, busSuite, storeSuite } from '@svc/state/testing'
    storeSuite('mine', async () => memoryStore())
    busSuite('mine', async (clock) => memoryBus({ clock }))
    blobsSuite('mine', async () => memoryBlobs())`
  const [passed, failed] = await runTests('driver.test.mjs', code)
  expect(failed).toBe(0)
  expect(passed).toBeGreaterThan(100)
})

it('runs tests of an app in happy-dom, each with modules of its own', async () => {
  const main = `import { svc } from '@svc/sdk'
    globalThis.loaded = (globalThis.loaded ?? 0) + 1
    svc.on('context', ({ theme }) => { document.body.dataset.theme = theme })
    const { value } = await svc.storage.get({ key: 'name' }).catch(() => ({ value: 'nobody' }))
    document.body.textContent = value
    await svc.storage.set({ key: 'name', value: 'somebody' })`
  writeFileSync(path.join(app, 'main.mjs'), main)
  const code = `// @vitest-environment happy-dom
    import { createTestHost } from '@svc/testing'
    import { expect, it, vi } from 'vitest'
    const ui = { bundle: { entry: 'index.html' }, views: [{ name: 'main' }], host_api: { storage: ['*'] } }
    it.each([1, 2])('is loaded %i times', async (times) => {
      await using host = await createTestHost({ manifest: { schema: 3, name: 'App', ui } })
      const { window } = await host.openWindow({ document: globalThis })
      vi.resetModules()
      await import('./main.mjs')
      window.setContext({ theme: 'dark', locale: 'en', focused: true })
      await host.clock.settled()
      expect([document.body.textContent, document.body.dataset.theme, globalThis.loaded]).toEqual(['nobody', 'dark', times])
    })`
  expect(await runTests('app.test.mjs', code)).toEqual([2, 0])
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

it('tests an app, and serves a browser every module of its page', async () => {
  const code = `import { createTestHost } from '@svc/testing'
    const ui = { bundle: { entry: 'index.html' }, views: [{ name: 'main' }], host_api: { storage: ['*'] } }
    const host = await createTestHost({ manifest: { schema: 3, name: 'App', ui } })
    const { svc } = await host.openWindow()
    await svc.storage.set({ key: 'a', value: 'kept' })
    console.log((await svc.storage.get({ key: 'a' })).value)
    const { url } = await host.listen()
    const modules = new Map()
    async function load(address) {
      if (modules.has(address)) return
      const response = await fetch(address)
      const text = await response.text()
      modules.set(address, response.status)
      for (const [, path] of text.matchAll(/\\bfrom\\s*"([^"]+)"/g)) await load(new URL(path, address).href)
    }
    await load(url + '/page.js')
    console.log(modules.size > 1, [...modules.values()].every((status) => status === 200))
    await host.close()`
  writeFileSync(path.join(app, 'test.mjs'), code)
  expect(await run(app, 'node', 'test.mjs')).toEqual({ stdout: 'kept\ntrue true\n', stderr: '' })
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
