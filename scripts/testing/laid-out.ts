import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import type { PackedPackage } from '../release/pack.ts'

interface Installed {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/**
 * Lays packed packages out below a folder as a strict package manager does, without asking a registry: each finds what its
 * own manifest names and nothing else. What is of others comes from where the checkout has it.
 *
 * @param packages those of `packRelease`, or the first few of what a user installs with all that they depend on
 * @param added packages that the user has besides, each by a folder of the checkout that depends on it
 */
export function layOut(
  root: string,
  folder: string,
  packages: readonly PackedPackage[],
  added: Readonly<Record<string, string>> = {},
): void {
  const modules = path.join(folder, 'node_modules')
  for (const { name, file } of packages) {
    const to = path.join(modules, name)
    mkdirSync(to, { recursive: true })
    execFileSync('tar', ['-xzf', file, '-C', to, '--strip-components=1'])
  }
  const ours = new Set(packages.map(({ name }) => name))
  packages.forEach(({ name }) => {
    const to = path.join(modules, name)
    const { dependencies, peerDependencies }: Installed = JSON.parse(
      readFileSync(path.join(to, 'package.json'), 'utf8'),
    )
    const from = path.join(root, 'packages', path.basename(name))
    for (const other of Object.keys({ ...dependencies, ...peerDependencies }))
      if (!ours.has(other)) link(from, other, path.join(to, 'node_modules', other))
  })
  for (const [name, from] of Object.entries(added))
    link(path.join(root, from), name, path.join(modules, name))
}

/** Those of a release that a user gets who installs the named ones: with all of ours that they depend on. */
export function withDependencies(
  release: readonly PackedPackage[],
  names: readonly string[],
  manifestOf: (packed: PackedPackage) => Installed,
): PackedPackage[] {
  const byName = new Map(release.map((packed) => [packed.name, packed]))
  const found = new Set<PackedPackage>()
  const add = (name: string) => {
    const packed = byName.get(name)
    if (!packed || found.has(packed)) return
    found.add(packed)
    for (const other of Object.keys(manifestOf(packed).dependencies ?? {})) add(other)
  }
  for (const name of names) add(name)
  return [...found]
}

function link(from: string, name: string, to: string): void {
  const source = path.join(from, 'node_modules', name)
  if (!existsSync(source)) throw new Error(`${from} has no ${name}, which is to be linked at ${to}`)
  mkdirSync(path.dirname(to), { recursive: true })
  symlinkSync(realpathSync(source), to)
}
