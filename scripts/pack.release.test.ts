import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
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
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '../packages/conformance/src/chromium.ts'
import { templates } from '../packages/create-svc/src/index.ts'
import { entryName, isStyle, libraries, published, readManifest } from './libraries.ts'
import { blocksOf } from './page-commands.ts'
import { findingsOf } from './release/findings.ts'
import { type PackedPackage, packRelease } from './release/pack.ts'
import { publish } from './release/publish.ts'
import { renamer } from './release/scope.ts'
import { bundledText } from './testing/bundled-names.ts'
import { declaredValues } from './testing/declared-values.ts'
import { addedNames, writeSmallApp } from './testing/installed.ts'
import { oldNodeFolder } from './testing/old-node.ts'
import { runScript } from './testing/project-run.ts'
import { openPublishedRegistry } from './testing/published-registry.ts'
import type { Registry } from './testing/registry.ts'
import { storyOf } from './testing/template-stories.ts'

/** Builds, packs and installations on a busy machine. */
const SLOW_MS = 400_000
const root = path.resolve(import.meta.dirname, '..')
const exec = promisify(execFile)
const ownNode = path.join(root, 'node_modules/.bin')

let home = ''
let app = ''
let registry: Registry
let oldNode = ''
let packages: readonly PackedPackage[] = []
const packed = (dir: string) => packages[published.indexOf(dir)] as PackedPackage

/** Runs a command, with the Node of a folder first on PATH; `npm` is the machine's. */
const run = (cwd: string, node: string, file: string, ...args: string[]) =>
  exec(file, args, { cwd, encoding: 'utf8', env: envWith(node) })
const envWith = (node: string): NodeJS.ProcessEnv => ({
  ...registry.env,
  PATH: [node, process.env.PATH].join(path.delimiter),
  HOME: home,
  NODE_ENV: undefined,
  // A project would take itself for one under test.
  VITEST: undefined,
})

/** Makes an empty folder, and installs packages there as a user does. */
async function installed(name: string, specs: readonly string[]): Promise<string> {
  const dir = path.join(home, name)
  mkdirSync(dir)
  writeFileSync(path.join(dir, 'package.json'), '{"private":true}')
  await run(dir, ownNode, 'npm', 'install', '--no-audit', '--no-fund', ...specs)
  return dir
}

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'svc-pack-'))
  oldNode = await oldNodeFolder(root)
  ;({ registry, packages } = await openPublishedRegistry(root, home))
  app = await installed(
    'app',
    packages.map(({ name }) => name),
  )
}, SLOW_MS)
afterAll(async () => {
  await registry.close()
  rmSync(home, { recursive: true, force: true })
}, SLOW_MS)

it.each(published)('packs %s so that npm, Node, TypeScript and bundlers find what it has', async (dir) => {
  expect(await findingsOf(packed(dir))).toEqual([])
})

it.each(published)('installs %s with provenance, and with its licence and page', (dir) => {
  const { name, version } = packed(dir)
  const folder = path.join(app, 'node_modules', name)
  expect(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))).toMatchObject({
    version,
    publishConfig: { access: 'public', provenance: true },
  })
  expect(readFileSync(path.join(folder, 'README.md'), 'utf8')).not.toContain('](../')
})

it('leaves what the registry has when a release goes on', async () => {
  const lines: string[] = []
  expect(await publish(packages, registry, { log: (line) => lines.push(line) })).toEqual([])
  expect(lines.sort()).toEqual(
    packages.map(({ name, version }) => `${name}@${version} is there already`).sort(),
  )
})

it('packs the same with npm pack in the folder of a package, which it leaves as it was', async () => {
  const copy = path.join(home, 'copy')
  for (const name of ['packages/sdk', 'packages/contract/package.json', 'scripts', 'LICENSE', 'package.json'])
    cpSync(path.join(root, name), path.join(copy, name), {
      recursive: true,
      preserveTimestamps: true,
      filter: (file: string) => path.basename(file) !== 'node_modules',
    })
  cpSync(path.join(root, 'pnpm-lock.yaml'), path.join(copy, 'pnpm-lock.yaml'))
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  const sdk = path.join(copy, 'packages/sdk')
  const before = readFileSync(path.join(sdk, 'package.json'), 'utf8')
  const { stdout } = await run(sdk, ownNode, 'npm', 'pack', '--json', '--pack-destination', home)
  const [[one]] = [Object.values(JSON.parse(stdout) as Record<string, PackedPackage>)]
  const files = ({ files }: PackedPackage) =>
    files.map(({ path }) => path).filter((name) => name !== 'CHANGELOG.md')
  expect(files(one as PackedPackage)).toEqual(files(packed('packages/sdk')))
  expect(readFileSync(path.join(sdk, 'package.json'), 'utf8')).toBe(before)
  expect(existsSync(path.join(sdk, 'LICENSE'))).toBe(false)
})

const entries = (formats: 'esm' | 'cjs') =>
  libraries
    .filter((library) => library.formats.includes(formats))
    .flatMap(({ dir, vitest }) => {
      const { name, exports } = readManifest(path.join(root, dir))
      const runnable = Object.keys(exports).filter((entry) => !isStyle(entry) && !vitest?.includes(entry))
      return runnable.map((entry) => path.posix.join(name, entry))
    })
/** Node 22 says at each start that its SQLite may change. */
const quiet = '--disable-warning=ExperimentalWarning'

describe.each([
  ['24', () => ownNode],
  ['22', () => oldNode],
])('on Node %s', (major, node) => {
  it.each([
    ['import', `all-${major}.mjs`, entries('esm').map((name) => `await import('${name}')`)],
    ['require', `all-${major}.cjs`, entries('cjs').map((name) => `require('${name}')`)],
  ])('takes every entry by %s, which does nothing by itself', async (_, file, lines) => {
    writeFileSync(path.join(app, file), addedNames + lines.join('\n'))
    expect(await run(app, node(), 'node', quiet, file)).toEqual({ stdout: '', stderr: '' })
    const { stdout } = await run(app, node(), 'node', '--version')
    expect(stdout).toMatch(`v${major}.`)
  })

  it('starts a host', async () => {
    const code = `import { createHost } from '@svc/host'
      const host = createHost({ harness: true })
      const { url } = await host.listen(0)
      console.log((await fetch(url + '/healthz')).status)
      await host.close()`
    writeFileSync(path.join(app, 'host.mjs'), code)
    expect(await run(app, node(), 'node', 'host.mjs')).toEqual({ stdout: '200\n', stderr: '' })
  })

  it('says its version, and what the machine has', async () => {
    const { stdout } = await run(app, node(), 'node_modules/.bin/svc', '--version')
    expect(stdout).toBe(`${packed('packages/cli').version}\n`)
    const doctor = await run(app, node(), 'node_modules/.bin/svc', 'doctor', '--json')
    expect(JSON.parse(doctor.stdout).node).toMatch(`v${major}.`)
  })

  it('calls the tool of the page of @svc/plugin with the installed command', async () => {
    const page = readFileSync(path.join(app, 'node_modules/@svc/plugin/README.md'), 'utf8')
    const plugin = blocksOf(page).find(({ language }) => language === 'ts')
    writeFileSync(path.join(app, 'plugin.ts'), plugin?.text ?? '')
    const args = ['plug', 'call', '--json', '--args', '{"city":"Oslo"}', '--', 'node', 'plugin.ts']
    const { stdout } = await run(app, node(), 'node_modules/.bin/svc', ...args)
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, output: { city: 'Oslo' } })
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
    expect(await run(app, node(), 'node', 'test.mjs')).toEqual({ stdout: 'kept\ntrue true\n', stderr: '' })
  })

  it('runs an app of sources with svc dev', async () => {
    const folder = path.join(app, `notes-${major}`)
    writeSmallApp(folder, '@svc/sdk')
    const args = ['dev', folder, '--port', '0', '--no-watch', '--json']
    const child = spawn(path.join(app, 'node_modules/.bin/svc'), args, { cwd: app, env: envWith(node()) })
    const ended = once(child, 'exit')
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    const { url, apps } = JSON.parse(String(line)) as { url: string; apps: unknown[] }
    expect(apps).toHaveLength(1)
    expect(await (await fetch(url)).text()).toContain('<script')
    expect(readFileSync(path.join(folder, 'dist/index.html'), 'utf8')).toContain('script')
    child.kill('SIGINT')
    expect(await ended).toEqual([0, null])
  })
})

it('declares as values what its entries have, and nothing else', async () => {
  const names = entries('esm')
  const code = `const entries = ${JSON.stringify(names)}
    const found = await Promise.all(entries.map((name) => import(name)))
    console.log(JSON.stringify(found.map((entry) => Object.keys(entry).sort())))
    process.exit()`
  writeFileSync(path.join(app, 'values.mjs'), code)
  const { stdout } = await run(app, ownNode, 'node', quiet, 'values.mjs')
  const has = JSON.parse(stdout) as string[][]
  const declared = declaredValues(names, path.join(app, 'values.mts'))
  const byEntry = (lists: readonly string[][]) =>
    Object.fromEntries(names.map((name, at) => [name, lists[at]]))
  expect(byEntry(declared)).toEqual(byEntry(has))
})

it('a bundle has nothing of an entry that it does not use, but for entries that act when they are imported', async () => {
  const acting = libraries.flatMap(({ dir, effects = [] }) => {
    const { name, exports } = readManifest(path.join(root, dir))
    const built = globSync([...effects], { cwd: path.join(app, 'node_modules', name) })
    expect(built).toHaveLength(effects.length)
    const isActing = (source: string) => built.includes(`dist/${entryName(source)}.js`)
    return Object.keys(exports)
      .filter((entry) => isActing(exports[entry] ?? ''))
      .map((entry) => path.posix.join(name, entry))
  })
  const kept: string[] = []
  for (const entry of entries('esm'))
    if ((await bundledText(`import * as unused from '${entry}'`, app)) !== '') kept.push(entry)
  expect(kept).toEqual(acting)
})

it.each([
  ['@svc/contract/limits', 'hostLimits', 15_000],
  ['@svc/plugin', 'tool', 200],
  ['@svc/node', 'systemClock', 400],
  ['@svc/state', 'memoryBlobs', 1_500],
  ['@svc/state-sqlite', 'FolderError', 300],
] as const)('a bundle that imports one name of %s, %s, has little else', async (entry, name, most) => {
  const text = await bundledText(`export { ${name} } from '${entry}'`, app)
  expect(text).toContain(`as ${name}}`)
  expect(text.length).toBeLessThan(most)
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
  await run(app, ownNode, process.execPath, 'node_modules/vitest/vitest.mjs', ...args)
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
  // In one piece it would be a setting of this file.
  const code = `// @vitest-${'environment'} happy-dom
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

it('types the calls of tools with the installed packages', async () => {
  const code = `import { serve, tool } from '@svc/plugin'
    const parameters = [{ name: 'a', type: 'number', required: true }]
    const outputSchema = { type: 'array', items: { type: 'number' } }
    serve({ name: 'sums', tools: { add: tool({ parameters, outputSchema, run: ({ a }) => [a] }) } })`
  const typed = path.join(app, 'typed')
  mkdirSync(typed)
  writeFileSync(path.join(typed, 'package.json'), '{"type":"module"}')
  writeFileSync(path.join(typed, 'plugin.js'), code)
  await run(typed, ownNode, '../node_modules/.bin/svc', 'plug', 'types', '--', 'node', 'plugin.js')
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
  const { stdout } = await run(typed, ownNode, tsc, ...options, '--ignoreConfig', ...files).catch(
    (error) => error,
  )
  expect(stdout.trim().split('\n')).toEqual([
    expect.stringMatching(
      /^app\.ts\(3,\d+\): error TS2322: Type 'string' is not assignable to type 'number'\.$/,
    ),
  ])
})

// npm cannot install what it is to run twice at once into its own cache.
beforeAll(() => run(home, ownNode, 'npm', 'create', '--yes', 'svc', '--', '--version'), SLOW_MS)

/** What a template has of these, in the order in which a user meets them. */
const scripts = ['types', 'test', 'build'] as const

describe.concurrent.each(templates)('the template $name', { timeout: SLOW_MS }, ({ name, kind }) => {
  it('is created, installed, tested and built on Node 24 and 22, and works in Chromium', async () => {
    const parent = path.join(home, name)
    mkdirSync(parent)
    await run(parent, ownNode, 'npm', 'create', '--yes', 'svc', 'my-app', '--', '--template', name)
    const cwd = path.join(parent, 'my-app')
    await run(cwd, ownNode, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund')
    const own = JSON.parse(readFileSync(path.join(cwd, 'package.json'), 'utf8')).scripts
    expect(Object.keys(own)).toEqual(expect.arrayContaining(['dev', 'test', 'build']))
    for (const node of [ownNode, oldNode])
      for (const script of scripts) if (own[script]) await runScript({ cwd, env: envWith(node) }, script)

    const story = storyOf(name, kind)
    const browser = await launchChromium()
    const running = await story.start({ cwd, env: envWith(ownNode) })
    try {
      const page = await browser.newPage()
      const wrong: string[] = []
      page.on('pageerror', (error) => wrong.push(String(error)))
      await page.goto(running.found)
      await story.tell(page)
      expect(wrong).toEqual([])
    } finally {
      await browser.close()
      await running.stop()
    }
    await rm(parent, { recursive: true })
  })
})

it('has the same under another scope', { timeout: SLOW_MS }, async () => {
  const other = await packRelease(root, path.join(home, 'acme'), '@acme')
  const folder = await installed(
    'acme-app',
    other.packages.map(({ file }) => file),
  )
  const texts = globSync('node_modules/@acme/**/*.{js,cjs,ts,tsx,cts,json,md,html,vue,svelte,py}', {
    cwd: folder,
  })
  expect(texts.length).toBeGreaterThan(100)
  const left = texts.filter((file) => readFileSync(path.join(folder, file), 'utf8').includes('@svc/'))
  expect([left, existsSync(path.join(folder, 'node_modules/@svc'))]).toEqual([[], false])
  const rename = renamer('@acme', ['create-svc'])
  const lines = entries('esm').map((name) => `await import('${rename(name)}')`)
  writeFileSync(path.join(folder, 'all.mjs'), lines.join('\n'))
  expect(await run(folder, ownNode, 'node', 'all.mjs')).toEqual({ stdout: '', stderr: '' })
  const notes = path.join(folder, '../notes')
  writeSmallApp(notes, '@acme/sdk')
  const { stderr } = await run(folder, ownNode, 'node_modules/.bin/svc', 'app', 'lint', notes)
  expect(stderr).toContain('@acme/sdk')
})
