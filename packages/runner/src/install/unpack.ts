import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, posix } from 'node:path'
import type { Limits } from '@svc/contract/limits'
import { type ArchiveContent, diskNameProblem, readArchive, shown } from '@svc/node/archive'
import { chooseStart } from './choose.ts'
import type { CommandPart } from './command-part.ts'
import { packageBins } from './package-bin.ts'
import { fault, withFault } from './problem.ts'
import { interpreterOf, startOf } from './start.ts'

/** Archives by the ending of their name. */
const archives: readonly (readonly [ending: string, type: string])[] = [
  ['.tar.gz', 'application/gzip'],
  ['.tgz', 'application/gzip'],
  ['.zip', 'application/zip'],
]

/** The media type of what a name says is an archive, else nothing. */
export const archiveType = (name: string): string | undefined =>
  archives.find(([ending]) => name.toLowerCase().endsWith(ending))?.[1]

/** Unpacks an archive into a fresh folder, under the whole rule for archives, and returns what starts it. */
export async function unpackInto(
  folder: string,
  { type, bytes, limits, wanted }: ArchiveFile,
): Promise<readonly CommandPart[]> {
  const unpacked = await withFault('archive_refused', () => readArchive(type, bytes, limits))
  const path = chooseStart(candidatesOf(unpacked, limits), wanted)
  for (const [name, content] of unpacked.files) {
    const problem = diskNameProblem(name)
    if (problem !== null) throw fault('archive_refused', `the path ${shown(name)} ${problem}`)
    const file = join(folder, name)
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    const mode = unpacked.executables.has(name) ? 0o700 : 0o600
    await writeFile(file, content, { flag: 'wx', mode })
  }
  return startOf(folder, path)
}

/** An archive with what is known of it. */
export interface ArchiveFile {
  readonly type: string
  readonly bytes: Buffer
  readonly limits: Limits
  /** The `executable_name` of its distribution. */
  readonly wanted: string | undefined
}

/** What an archive may start: what its `package.json` names, else its programs, else its scripts. */
function candidatesOf({ files, executables }: ArchiveContent, limits: Limits): ReadonlyMap<string, string> {
  const root = files.has('package.json') ? '' : 'package/'
  const manifest = files.get(`${root}package.json`)
  const bins = packageBins(Buffer.from(manifest ?? []).toString('utf8'), limits)
  if (bins.size > 0) return new Map([...bins].map(([name, path]) => [name, posix.join(root, path)]))
  const scripts = () => [...files.keys()].filter((path) => interpreterOf(path))
  return byName(executables.size > 0 ? [...executables] : scripts())
}

/** Files by their name, or by their whole path where two have one name. */
function byName(paths: readonly string[]): ReadonlyMap<string, string> {
  const names = paths.map((path) => basename(path))
  return new Map(
    paths.map((path, at) => {
      const name = names[at] ?? path
      return [names.indexOf(name) === names.lastIndexOf(name) ? name : path, path]
    }),
  )
}
