import { cpSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Manifest, readManifest } from '../libraries.ts'
import { run } from '../spawn.mjs'

const MINUTES = 2

/** The packages as the next release has them. */
export interface NextVersions {
  /** How many files of `.changeset` go into it. */
  readonly changesets: number
  /** A folder like the repository: the package.json and CHANGELOG.md of each package are of the release. */
  readonly dir: string
  /** Reads the package.json of a package by its folder. */
  readonly manifest: (dir: string) => Manifest
}

/** Takes the versions that `changeset version` gives, in a copy: the repository stays as it is. */
export async function nextVersions(root: string, dir: string): Promise<NextVersions> {
  const manifests = globSync(['package.json', '{packages,examples}/*/package.json', 'bench/package.json'], {
    cwd: root,
    exclude: ['**/node_modules'],
  })
  const logs = globSync('packages/*/CHANGELOG.md', { cwd: root })
  for (const file of ['pnpm-workspace.yaml', ...manifests, ...logs]) {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true })
    cpSync(path.join(root, file), path.join(dir, file))
  }
  cpSync(path.join(root, '.changeset'), path.join(dir, '.changeset'), { recursive: true })
  const changesets = changesetsIn(root).length
  if (changesets > 0) {
    const { code, output } = await run('changeset', ['version'], {
      cwd: dir,
      capture: true,
      minutes: MINUTES,
    })
    if (code !== 0) throw new Error(`changeset version ended with ${code}:\n${output}`)
  }
  return { changesets, dir, manifest: (name) => readManifest(path.join(dir, name)) }
}

/** The files of `.changeset` that no version has yet. */
const changesetsIn = (root: string) =>
  globSync('.changeset/*.md', { cwd: root }).filter(
    (file) => path.basename(file) !== 'README.md' && readFileSync(path.join(root, file), 'utf8') !== '',
  )
