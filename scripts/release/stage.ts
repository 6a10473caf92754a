import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { packedManifest } from '../libraries.ts'
import type { NextVersions } from './next-versions.ts'

/** What a release is made of, beside the packages themselves. */
export interface Staging {
  readonly root: string
  readonly next: NextVersions
  readonly versionOf: (name: string) => string
  /** Renames our packages in a text (`renamer`). */
  readonly rename: (text: string) => string
}

/** Files of a package that are text in which names of packages are. */
const isText = (file: string) => /\.(?:[cm]?[jt]sx?|json|md|html|vue|svelte|py|toml)$/.test(file)

/** Links of a README that leave its package: on a registry there is nothing behind them. */
const outside = /\[([^\]]+)\]\((?:\.\.\/)[^)]*\)/g

/** Writes a package as it is packed into a folder: the manifest of its release, what `files` names, README and LICENSE. */
export function stage(dir: string, to: string, { root, next, versionOf, rename }: Staging): void {
  const manifest = next.manifest(dir)
  const from = path.join(root, dir)
  mkdirSync(to, { recursive: true })
  for (const name of ['README.md', ...(manifest.files ?? [])])
    cpSync(path.join(from, name), path.join(to, name), { recursive: true })
  cpSync(path.join(root, 'LICENSE'), path.join(to, 'LICENSE'))
  const log = path.join(next.dir, dir, 'CHANGELOG.md')
  if (existsSync(log)) cpSync(log, path.join(to, 'CHANGELOG.md'))
  const packed = {
    ...packedManifest(manifest, versionOf),
    files: [...(manifest.files ?? []), 'CHANGELOG.md'],
  }
  writeFileSync(path.join(to, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`)
  const readme = path.join(to, 'README.md')
  writeFileSync(readme, readFileSync(readme, 'utf8').replaceAll(outside, '$1'))
  for (const file of globSync('**/*', { cwd: to }).filter(isText)) {
    const text = readFileSync(path.join(to, file), 'utf8')
    const renamed = rename(text)
    if (renamed !== text) writeFileSync(path.join(to, file), renamed)
  }
}
