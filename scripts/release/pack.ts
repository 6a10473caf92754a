import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { isBuilt } from '../built.ts'
import { type Library, libraries, published } from '../libraries.ts'
import { oneAtATime } from '../one-at-a-time.ts'
import { run } from '../spawn.mjs'
import { docsAddress } from './docs-address.ts'
import { nextVersions } from './next-versions.ts'
import { ownScope, renamer } from './scope.ts'
import { stage } from './stage.ts'

const BUILD_MINUTES = 15
const PACK_MINUTES = 5

/** A tarball, as `npm pack --json` tells of it. */
interface Packed {
  readonly name: string
  readonly version: string
  readonly filename: string
  /** Bytes of the tarball. */
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

/** A package of a release. */
export interface PackedPackage extends Packed {
  /** The path of the tarball. */
  readonly file: string
  /** How it was built; the built page is no library. */
  readonly library: Library | undefined
}

/** A release that is packed, in a folder of its own. */
export interface Release {
  readonly packages: readonly PackedPackage[]
  /** How many files of `.changeset` its version takes in. */
  readonly changesets: number
}

/**
 * Packs everything that is published, each with the version of the next release: builds what is not built, and changes
 * nothing else in the repository.
 *
 * @param to the folder of the tarballs; what is in it is removed
 * @param docs the address of the docs site, which errors lead to
 * @param dirs the folders of the packages, where it is not all of them
 */
export async function packRelease(
  root: string,
  to: string,
  scope: string,
  docs: string | null = null,
  dirs: readonly string[] = published,
): Promise<Release> {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  // Tests in other processes build, too.
  await oneAtATime(path.join(root, 'node_modules/.svc-building'), async () => {
    const stale = dirs.filter((dir) => !isBuilt(path.join(root, dir))).map((dir) => path.basename(dir))
    if (stale.length > 0) await runOrThrow('node', ['scripts/build.ts', ...stale], root, BUILD_MINUTES)
  })

  const next = await nextVersions(root, path.join(to, '.versions'))
  const manifests = new Map(published.map((dir) => [dir, next.manifest(dir)]))
  const byName = new Map([...manifests.values()].map(({ name, version }) => [name, version]))
  const versionOf = (name: string): string => {
    const version = byName.get(name)
    if (version === undefined) throw new Error(`${name} is a dependency and is not published`)
    return version
  }
  const unscoped = [...byName.keys()].filter((name) => !name.startsWith(`${ownScope}/`))
  const renameScope = renamer(scope, unscoped)
  const renameDocs = docsAddress(docs)
  const rename = (text: string) => renameDocs(renameScope(text))
  const staged = dirs.map((dir) => ({ dir, folder: path.join(to, '.packages', path.basename(dir)) }))
  for (const { dir, folder } of staged) stage(dir, folder, { root, next, versionOf, rename })

  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', to]
  const text = await runOrThrow('npm', [...args, ...staged.map(({ folder }) => folder)], root, PACK_MINUTES)
  const packed = packedIn(text)
  const packages = dirs.map((dir): PackedPackage => {
    const name = rename(manifests.get(dir)?.name ?? '')
    const one = packed.find((other) => other.name === name)
    if (!one) throw new Error(`npm packed no ${name}:\n${text}`)
    const library = libraries.find((other) => other.dir === dir)
    return { ...one, file: path.join(to, one.filename), library }
  })
  return { packages, changesets: next.changesets }
}

/** What `npm pack --json` prints: a list, or since npm 12 an object by name. */
function packedIn(text: string): Packed[] {
  const parsed = JSON.parse(text) as Packed[] | Readonly<Record<string, Packed>>
  return Array.isArray(parsed) ? parsed : Object.values(parsed)
}

async function runOrThrow(file: string, args: string[], cwd: string, minutes: number): Promise<string> {
  const { code, output } = await run(file, args, { cwd, capture: true, minutes })
  if (code !== 0) throw new Error(`${file} ${args[0]} ended with ${code}:\n${output}`)
  return output
}
