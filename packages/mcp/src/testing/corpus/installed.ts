import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ServerRow } from './server-row.ts'

const own = join(import.meta.dirname, '../../../node_modules')
/** Where releases keep what they install: outside of the checkout, one folder for each version. */
const cache = process.env.SVC_CORPUS_CACHE ?? join(homedir(), '.cache/svc-mcp-servers')

/** What a row needs of the machine or the network is not there. */
export class Absent extends Error {}

type Package = Pick<ServerRow, 'name' | 'version'>
const npm = (args: readonly string[], cwd?: string) => promisify(execFile)('npm', args, { cwd })

/** Errors: `Absent` where the registry does not answer; that it has no such package is for the install to say. */
export async function askRegistry({ name, version }: Package, ...more: readonly string[]): Promise<void> {
  const asked = ['view', `${name}@${version}`, 'version', '--json', '--fetch-retries=0', ...more]
  const { stdout } = await npm(asked).catch((error: { readonly stdout: string }) => error)
  const { error } = JSON.parse(stdout) as {
    readonly error?: { readonly code: string; readonly summary: string }
  }
  if (error && error.code !== 'E404') throw new Absent(`the registry does not answer: ${error.summary}`)
}

/** The `node_modules` with a package: ours, or the cache, filled from the registry. Errors: `Absent`, those of npm. */
export async function installed({ name, version }: Package): Promise<string> {
  if (existsSync(join(own, name))) return own
  const folder = join(cache, `${name.replace('@', '').replace('/', '+')}@${version}`)
  if (!existsSync(folder)) {
    await askRegistry({ name, version })
    const filling = `${folder}.${process.pid}`
    mkdirSync(filling, { recursive: true })
    writeFileSync(join(filling, 'package.json'), '{"private":true}')
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    await npm(['install', ...flags, `${name}@${version}`], filling)
    rmSync(folder, { recursive: true, force: true })
    renameSync(filling, folder)
  }
  return join(folder, 'node_modules')
}

/** The program of a server in a `node_modules`. */
export function programOf(modules: string, { name, bin }: ServerRow): string {
  const folder = join(modules, name)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly bin: string | Readonly<Record<string, string>>
  }
  const { bin: bins } = manifest
  const file = typeof bins === 'string' ? bins : bins[bin ?? Object.keys(bins)[0] ?? '']
  if (file === undefined) throw new Error(`${name} has no program ${bin}`)
  return join(folder, file)
}
