import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundleSize } from '../packages/conformance/src/testing/bundle-size.ts'
import { verifies } from '../packages/conformance/src/verifies.ts'
import { libraries } from './libraries.ts'
import { type PackedPackage, packRelease } from './release/pack.ts'
import { layOut, neededBy } from './testing/laid-out.ts'
import { bindings, host, page, type Resolution, worker, writeProgram } from './testing/strangers.ts'

/** On a busy machine, where nothing is built yet. */
const SLOW_MS = 1_500_000
const root = path.resolve(import.meta.dirname, '..')
const exec = promisify(execFile)

const forBrowsers = ['contract', 'sdk', 'bridge', 'react', 'vue', 'svelte']
const names = [...forBrowsers, 'node', 'state', 'runner', 'host']
const dirs = libraries.map(({ dir }) => dir).filter((dir) => names.includes(path.basename(dir)))

let home = ''
let packages: readonly PackedPackage[] = []
const installed = (name: string) => path.join(home, 'node_modules/@svc', name)
const manifestOf = (name: string) =>
  JSON.parse(readFileSync(path.join(installed(name), 'package.json'), 'utf8'))

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'svc-tarballs-'))
  ;({ packages } = await packRelease(root, path.join(home, 'release'), '@svc', null, dirs))
  layOut(root, home, packages, {
    '@types/node': '.',
    '@types/react': 'packages/react',
    react: 'packages/react',
    svelte: 'packages/svelte',
    vue: 'packages/vue',
  })
}, SLOW_MS)
afterAll(() => rmSync(home, { recursive: true, force: true }))

verifies.each('packages.sizes')([
  ['the core of the SDK', `export { connect, client } from '@svc/sdk/core'`],
  ['the SDK', `export * from '@svc/sdk'`],
  ['the bridge', `export * from '@svc/bridge'`],
  ['the window element', `export * from '@svc/bridge/element'`],
])('%s weighs as published what its sources weigh', async (_, contents) => {
  const [sources, installed] = [await bundleSize(contents), await bundleSize(contents, home)]
  for (const part of [(size: typeof sources) => size.bytes, (size: typeof sources) => size.later.bytes])
    expect(part(installed)).toBeLessThanOrEqual(part(sources) * 1.015 + 20)
  // An object with a getter for each name of a module: no bundler removes it.
  expect(installed.text + installed.later.text).not.toMatch(/\benumerable\b/)
})

verifies.each('packages.needs')([
  ['an app and its page', ['sdk', 'bridge'], ['@svc/contract', 'comlink'], 3.5],
  ['one with React', ['react'], ['@svc/bridge', '@svc/contract', '@svc/sdk', 'comlink'], 3.5],
  ['one with Vue', ['vue'], ['@svc/contract', '@svc/sdk', 'comlink'], 3.3],
  ['one with Svelte', ['svelte'], ['@svc/contract', '@svc/sdk', 'comlink'], 3.3],
])('%s needs few packages of few bytes', (_, own, others, maxMiB) => {
  const asked = own.map((name) => `@svc/${name}`)
  expect(neededBy(home, ...asked).sort()).toEqual([...asked, ...others].sort())
  const bytes = packages
    .filter(({ name }) => [...asked, ...others].includes(name))
    .reduce((sum, { unpackedSize }) => sum + unpackedSize, 0)
  expect(bytes / 1024 ** 2).toBeLessThanOrEqual(maxMiB)
})

/** What a type says of others: `from`, `import()`, `/// <reference types>`. What it adds to a module of others need not be there. */
const NAMED = /(?:from |import\(|import |<reference types=)["']([^"'./][^"']*)["']/g
const COMMENT = /\/\*[\s\S]*?\*\//g
/** What hosts are made of, and embedders need not know. */
const insides = ['ws', 'ai', 'pino', 'prom-client', 'hono', 'jose']

verifies.each('packages.types')(names)('@svc/%s names in its types what an install of it brings', (name) => {
  const { dependencies = {}, peerDependencies = {} } = manifestOf(name)
  const own = Object.keys({ ...dependencies, ...peerDependencies })
  const allowed = [`@svc/${name}`, ...own.filter((other) => !insides.includes(other))]
  const isNode = !forBrowsers.includes(name)
  const found = globSync('dist/**/*.d.{ts,cts}', { cwd: installed(name) }).flatMap((file) => {
    const text = readFileSync(path.join(installed(name), file), 'utf8').replaceAll(COMMENT, '')
    return [...text.matchAll(NAMED)].map(([, specifier = '']) => `${file}: ${specifier}`)
  })
  const isAllowed = (specifier: string) =>
    specifier.startsWith('node:') ? isNode : allowed.some((one) => `${specifier}/`.startsWith(`${one}/`))
  expect(found.filter((line) => !isAllowed(line.split(': ')[1] ?? ''))).toEqual([])
})

verifies.each('packages.types')([
  ['a page', page, 'bundler', 'native'],
  ['a page', page, 'node10', 'typescript'],
  ['the bindings of frameworks', bindings, 'bundler', 'native'],
  ['a worker', worker, 'bundler', 'native'],
  ['a host', host, 'nodenext', 'native'],
] as const)('compiles %s as strictly as TypeScript can', async (_, program, resolution, compiler) => {
  expect(await compile(writeProgram(home, program, resolution), resolution, compiler)).toBe('')
})

async function compile(
  file: string,
  resolution: Resolution,
  compiler: 'native' | 'typescript',
): Promise<string> {
  const tsc = path.join(
    root,
    'node_modules',
    compiler === 'native' ? '@typescript/native/bin/tsc' : 'typescript/lib/tsc.js',
  )
  const old = resolution === 'node10' ? ['--ignoreDeprecations', '6.0'] : []
  const { stdout } = await exec(process.execPath, [tsc, '-p', file, '--pretty', 'false', ...old]).catch(
    (error) => error,
  )
  return String(stdout)
}

verifies.each('packages.fields')(forBrowsers)('@svc/%s is found by what reads no exports', (name) => {
  const { main, module, types, alias = {}, typesVersions = {}, exports } = manifestOf(name)
  const sub = Object.keys(exports).filter((entry) => entry !== '.')
  expect(Object.keys(alias)).toEqual(sub)
  const typed = Object.values(typesVersions['*'] ?? {}).flat()
  const files = [main, module, types, ...Object.values(alias), ...typed] as string[]
  expect(files.filter((file) => !existsSync(path.join(installed(name), file)))).toEqual([])
})

it.each(['esm', 'cjs'] as const)('runs a host in one file (%s), away from its packages', async (format) => {
  const away = path.join(home, `away-${format}`)
  mkdirSync(away)
  const contents = `import { createHost } from '@svc/host'
    const host = createHost({ harness: true, logger: { debug() {}, info() {}, warn() {}, error() {} } })
    host.listen(0).then(async ({ url }) => {
      console.log((await fetch(url + '/healthz')).status)
      await host.close()
    })`
  const outfile = path.join(away, format === 'esm' ? 'host.mjs' : 'host.cjs')
  const banner = {
    js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
  }
  await build({
    stdin: { contents, resolveDir: home },
    bundle: true,
    platform: 'node',
    format,
    outfile,
    logLevel: 'silent',
    ...(format === 'esm' && { banner }),
  })
  // Where it is, nothing is above it that it could load.
  const alone = mkdtempSync(path.join(tmpdir(), 'svc-alone-'))
  try {
    const file = path.join(alone, path.basename(outfile))
    writeFileSync(file, readFileSync(outfile))
    expect(await exec(process.execPath, [file], { cwd: alone })).toEqual({ stdout: '200\n', stderr: '' })
  } finally {
    rmSync(alone, { recursive: true })
  }
})
