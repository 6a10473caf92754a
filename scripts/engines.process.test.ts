import { existsSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import semver from 'semver'
import { expect, it } from 'vitest'
import { libraries, readManifest } from './libraries.ts'

/** What a package needs of Node, and which packages it brings. */
interface Installed {
  readonly name: string
  readonly version: string
  readonly engines?: { readonly node?: string }
  readonly dependencies?: Readonly<Record<string, string>>
}

/** The folder of a package that one in another folder imports. */
function folderOf(name: string, from: string): string {
  const beside = path.join(from, 'node_modules', name)
  if (existsSync(beside)) return realpathSync(beside)
  const above = path.dirname(from)
  if (above === from) throw new Error(`${name} is not installed`)
  return folderOf(name, above)
}

/** The packages that a package brings, with theirs, by folder. */
function broughtBy(dir: string, found: Map<string, Installed> = new Map()): ReadonlyMap<string, Installed> {
  if (found.has(dir)) return found
  const manifest: Installed = JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8'))
  found.set(dir, manifest)
  for (const name of Object.keys(manifest.dependencies ?? {})) broughtBy(folderOf(name, dir), found)
  return found
}

const root = path.resolve(import.meta.dirname, '..')
const needing = libraries.flatMap(({ dir }) => {
  const { engines } = readManifest(path.join(root, dir))
  return engines ? [[dir, engines.node] as const] : []
})

it.each(needing)('what %s brings runs on each Node that it allows, %s', (dir, node) => {
  const refusing = [...broughtBy(path.join(root, dir)).values()]
    .filter(({ engines }) => engines?.node !== undefined && !semver.subset(node, engines.node))
    .map(({ name, version, engines }) => `${name}@${version} needs ${engines?.node}`)
  expect(refusing).toEqual([])
})

it('all name the same, and packages for browsers alone name none', () => {
  expect(new Set(needing.map(([, node]) => node)).size).toBe(1)
  const rest = libraries.filter(({ dir }) => !needing.some(([one]) => one === dir)).map(({ dir }) => dir)
  expect(rest).toEqual(['sdk', 'bridge', 'react', 'vue', 'svelte'].map((name) => `packages/${name}`))
})
