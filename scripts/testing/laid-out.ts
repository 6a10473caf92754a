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
 * @param packages those of `packRelease`
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

/** The names of all that a package needs at run time, itself first: what an install of it alone brings. */
export function neededBy(folder: string, ...names: readonly string[]): string[] {
  const found = new Set<string>()
  function add(name: string, from: string): void {
    if (found.has(name)) return
    found.add(name)
    const nested = path.join(from, 'node_modules', name)
    const at = realpathSync(existsSync(nested) ? nested : path.join(folder, 'node_modules', name))
    const { dependencies = {} }: Installed = JSON.parse(readFileSync(path.join(at, 'package.json'), 'utf8'))
    // What is of others has its own beside it.
    const beside = at.endsWith(path.join('node_modules', name))
      ? at.slice(0, -path.join('node_modules', name).length)
      : at
    for (const other of Object.keys(dependencies)) add(other, ours(name) ? at : beside)
  }
  const ours = (name: string) => name.startsWith('@svc/')
  for (const name of names) add(name, folder)
  return [...found]
}

function link(from: string, name: string, to: string): void {
  const source = path.join(from, 'node_modules', name)
  if (!existsSync(source)) throw new Error(`${from} has no ${name}, which is to be linked at ${to}`)
  mkdirSync(path.dirname(to), { recursive: true })
  symlinkSync(realpathSync(source), to)
}
