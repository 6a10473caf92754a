import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { buildBundle } from '../../project/build.ts'
import { linkPackages } from '../../project/link-packages.ts'
import { readProject } from '../../project/project.ts'
import { nameOf, type PackageRow } from './package-row.ts'

const npm = promisify(execFile)
/** Outside of the checkout, one folder for each choice of versions. */
const cache = process.env.SVC_CORPUS_CACHE ?? path.join(homedir(), '.cache/svc-app-packages')

/** Collects what the document hears of refusals, and shows them beside what came of the work. */
const runJs = `import { svc } from '@svc/sdk'
const said = []
addEventListener('error', ({ message }) => said.push(message))
addEventListener('unhandledrejection', ({ reason }) => said.push(String(reason)))
addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => said.push(effectiveDirective + ' refused ' + blockedURI))
export async function until(isTrue) {
  const end = performance.now() + 15_000
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error('waited in vain: ' + isTrue)
    await new Promise((done) => setTimeout(done, 20))
  }
}
export async function run(work) {
  await svc.ready
  const outcome = await work().then((value) => ({ value }), (error) => ({ error: String(error?.stack ?? error) }))
  document.documentElement.dataset.shown = JSON.stringify({ ...outcome, said })
  await svc.window.ready()
}
`

/** Where the packages of rows are installed, together and once. Errors: those of npm, also where it reaches no registry. */
export async function installedPackages(rows: readonly PackageRow[]): Promise<string> {
  const dependencies = Object.assign({}, ...rows.map(({ packages }) => packages))
  const text = JSON.stringify({ private: true, type: 'module', dependencies })
  const folder = path.join(cache, createHash('sha256').update(text).digest('hex').slice(0, 16))
  if (existsSync(folder)) return folder
  const filling = `${folder}.${process.pid}`
  mkdirSync(filling, { recursive: true })
  writeFileSync(path.join(filling, 'package.json'), text)
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--omit=optional', '--loglevel=error']
  await npm('npm', ['install', ...flags], { cwd: filling })
  rmSync(folder, { recursive: true, force: true })
  renameSync(filling, folder)
  return folder
}

/** Writes the app of a row as its author would, and builds it as `svc app push` does; returns the folder of the bundle. */
async function build(row: PackageRow, dir: string, modules: string): Promise<string> {
  const put = (name: string, text: string | Uint8Array) => {
    const file = path.join(dir, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const ui = { bundle: { entry: 'index.html' }, views: [{ name: 'main' }], host_api: { storage: ['*'] } }
  put('public/manifest.json', JSON.stringify({ schema: 3, name: nameOf(row), version: '1.0.0', ui }))
  put('package.json', JSON.stringify({ private: true, type: 'module' }))
  put(
    'index.html',
    '<!doctype html><html lang="en"><title>app</title><main></main><script type="module" src="./main.js"></script></html>',
  )
  put('run.js', runJs)
  put('main.js', `import { run, until } from './run.js'\n${row.main}`)
  for (const [name, text] of Object.entries(row.files ?? {})) put(name, text)
  mkdirSync(path.join(dir, 'node_modules'))
  for (const name of Object.keys(row.packages)) {
    mkdirSync(path.dirname(path.join(dir, 'node_modules', name)), { recursive: true })
    symlinkSync(path.join(modules, name), path.join(dir, 'node_modules', name))
  }
  linkPackages(dir)
  const project = readProject(dir)
  await buildBundle(project)
  return project.bundleDir
}

/** Builds the apps of rows; returns a folder with their bundles, by the names that `at` gives. */
export async function buildPackageApps(rows: readonly PackageRow[]) {
  const modules = path.join(await installedPackages(rows), 'node_modules')
  const dir = path.join(tmpdir(), `svc-package-apps-${process.pid}`)
  const bundles = path.join(dir, 'bundles')
  mkdirSync(bundles, { recursive: true })
  for (const [at, row] of rows.entries())
    renameSync(await build(row, path.join(dir, `app-${at}`), modules), path.join(bundles, String(at)))
  return { dir: bundles, remove: () => rmSync(dir, { recursive: true, force: true }) }
}
