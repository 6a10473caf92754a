import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { pathName, pathOf } from './program.mjs'
import { run } from './spawn.mjs'
import { levelToInstall } from './stamp.mjs'

/** The folder of the repository. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

const OLDEST_NODE = 20
const NODE = '24.21.0'
const stamp = path.join(root, 'node_modules/.svc-lock')
const bin = path.join(root, 'node_modules/.bin')
/** The pnpm of `scripts/installer`, whose lockfile pins it by its hash. */
const installer = path.join(root, 'scripts/installer')
/** Where the Node of platforms that the lockfile has no row for is installed. */
const elsewhere = path.join(root, 'node_modules/.svc-node')

/**
 * What pnpm is told, and what the user reads meanwhile, by level. `start` trusts the committed lockfile: its hashes
 * are checked, but the age of each version is not asked of the registry again, as `all` (tests, CI) does.
 *
 * @type {Record<import('./stamp.mjs').Level, { says: string, args: string[] }>}
 */
const levels = {
  start: {
    says: 'installing what starting needs (about 100 packages, once)',
    args: [
      '--prod',
      '--config.trust-lockfile=true',
      ...['svc', './examples/*'].flatMap((name) => ['--filter', name]),
      '--filter-prod',
      '@svc/cli...',
    ],
  },
  all: { says: 'installing everything that tests and builds need (about 700 packages, once)', args: [] },
}

/**
 * Makes sure that node_modules holds what a task needs and belongs to the lockfile, and puts its commands first on
 * PATH, so that everything started after this runs on the Node that the workspace brings.
 *
 * @param {import('./stamp.mjs').Level} wanted
 * @param {() => Promise<string | null>} look says what makes an install not worth waiting for
 * @returns {Promise<string | null>} one sentence about what went wrong, or null
 */
export async function ensurePackages(wanted, look = async () => null) {
  const major = Number(process.versions.node.split('.')[0])
  if (major < OLDEST_NODE) return `Node ${OLDEST_NODE} or newer is needed, this is ${process.versions.node}`
  const lock = createHash('sha256')
    .update(readFileSync(path.join(root, 'pnpm-lock.yaml')))
    .digest('hex')
  const level = levelToInstall(existsSync(stamp) ? readFileSync(stamp, 'utf8') : '', lock, wanted)
  if (level !== null) {
    const problem = await look()
    if (problem !== null) return problem
    const { says, args } = levels[level]
    console.error(`svc: ${says}`)
    const flags = ['--frozen-lockfile', '--config.confirm-modules-purge=false', ...args]
    const { code } = await runPnpm(['install', ...flags])
    if (code !== 0) {
      return `the packages could not be installed (pnpm install ended with ${code}; its reason is above)`
    }
    writeFileSync(stamp, `${level} ${lock}`)
  }
  const folder = await nodeFolder()
  if (folder === null) return `Node ${NODE} could not be installed; install Node 22.19 or newer yourself`
  process.env[pathName(process.env)] = [bin, folder, pathOf(process.env) ?? ''].join(path.delimiter)
  return null
}

/**
 * Runs pnpm, installed first where it is missing: npm holds it to the hashes in the lockfile, and runs no script of it.
 *
 * @param {string[]} args
 * @param {{ capture?: boolean }} [options]
 * @returns {ReturnType<typeof run>}
 */
export async function runPnpm(args, options) {
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const installed = await run('npm', ['install', ...flags, '--prefix', installer], { capture: true })
  if (installed.code !== 0) {
    console.error(installed.output)
    return installed
  }
  return run(path.join(installer, 'node_modules/.bin/pnpm'), args, options)
}

/** The folder of the Node that everything runs on: the lockfile's, or one that npm installs for this platform. */
async function nodeFolder() {
  const locked = nodeIn(path.join(root, 'node_modules'))
  if (locked) return locked
  if (!nodeIn(path.join(elsewhere, 'node_modules'))) {
    console.error(`svc: installing Node ${NODE}`)
    await run('npm', ['install', '--no-save', '--no-audit', '--prefix', elsewhere, `node@${NODE}`])
  }
  return nodeIn(path.join(elsewhere, 'node_modules'))
}

/**
 * The folder of a Node that is a package: of its command, and on Windows, where a command is no program, of the program.
 *
 * @param {string} modules
 */
function nodeIn(modules) {
  const folders =
    process.platform === 'win32'
      ? [`node-win-${process.arch}/bin`, 'node/bin'].map((name) => path.join(modules, name))
      : [path.join(modules, '.bin')]
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  return folders.find((folder) => existsSync(path.join(folder, name))) ?? null
}
