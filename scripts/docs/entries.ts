import path from 'node:path'
import { readManifest } from '../libraries.ts'

/** What developers import, by package: the folder of the package and the name of the entry. */
export const entries = [
  ['sdk', '@svc/sdk'],
  ['sdk', '@svc/sdk/core'],
  ['sdk', '@svc/sdk/state'],
  ['react', '@svc/react'],
  ['react', '@svc/react/window'],
  ['vue', '@svc/vue'],
  ['svelte', '@svc/svelte'],
  ['host', '@svc/host'],
  ['host', '@svc/host/page-token'],
  ['plugin', '@svc/plugin'],
  ['runner', '@svc/runner'],
  ['node', '@svc/node'],
  ['state', '@svc/state'],
  ['mcp', '@svc/mcp'],
  ['bridge', '@svc/bridge'],
  ['bridge', '@svc/bridge/element'],
  ['cli', '@svc/cli/app-story'],
  ['cli', '@svc/cli/harness'],
  ['testing', '@svc/testing'],
  ['testing', '@svc/testing/playwright'],
] as const

/** The entries that have a page on the site, and those beside them whose tables are on pages of their own too. */
export const documented: readonly (readonly [dir: string, name: string])[] = [
  ...entries,
  ['state-sqlite', '@svc/state-sqlite'],
  ['state-cluster', '@svc/state-cluster'],
]

/** Returns the source of an entry, by the `exports` of its package. */
export function sourceOf(dir: string, name: string): string {
  const { exports } = readManifest(`packages/${dir}`)
  const source = exports[`.${name.slice(`@svc/${dir}`.length)}`]
  if (source === undefined) throw new Error(`packages/${dir} has no entry ${name}`)
  return path.join('packages', dir, source)
}
