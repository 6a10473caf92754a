import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './spawn.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

const PNPM = 'pnpm@12.21.0'
const OLDEST_NODE = 20
const stamp = path.join(root, 'node_modules/.svc-lock')
const bin = path.join(root, 'node_modules/.bin')

/**
 * Makes sure that node_modules is there and belongs to the lockfile, and puts its commands first on PATH,
 * so that everything started after this runs on the Node that the workspace brings.
 *
 * @returns {Promise<string | null>} one sentence about what went wrong, or null
 */
export async function ensurePackages() {
  const major = Number(process.versions.node.split('.')[0])
  if (major < OLDEST_NODE) return `Node ${OLDEST_NODE} or newer is needed, this is ${process.versions.node}`
  const lock = createHash('sha256')
    .update(readFileSync(path.join(root, 'pnpm-lock.yaml')))
    .digest('hex')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
    const args = ['-y', PNPM, 'install', '--frozen-lockfile', '--config.confirm-modules-purge=false']
    const { code } = await run('npx', args)
    if (code !== 0) {
      return `the packages could not be installed (npx ${PNPM} install ended with ${code}, its reason stands above)`
    }
    writeFileSync(stamp, lock)
  }
  if (!existsSync(path.join(bin, 'node'))) {
    return 'node_modules has no Node of its own; remove node_modules and run the command again'
  }
  process.env.PATH = `${bin}${path.delimiter}${process.env.PATH ?? ''}`
  return null
}
