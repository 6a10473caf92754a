import { type Refusal, refuse } from '@svc/contract/errors'
import type { Limits } from '@svc/contract/limits'
import { foldPath, pathProblem, shown } from './path.ts'

/** Judges the entries of one archive as they come: path, doubles, count and sizes (decisions, archives). */
export interface Judge {
  /** Takes a file of `size` bytes and its Unix mode, 0 where it has none. Throws `invalid_arg` where a rule is broken. */
  file(path: string, size: number, mode?: number): void
  /** Takes a folder. Throws `invalid_arg` where a rule is broken. */
  folder(path: string): void
  /** The files so far that their owner may execute. */
  readonly executables: ReadonlySet<string>
}

const OWNER_EXECUTES = 0o100

/** The refusal of an archive, with its reason. */
export const badArchive = (reason: string): Refusal => refuse('invalid_arg', `the archive ${reason}`)

/** Opens a judge for one archive. */
export function openJudge(limits: Limits): Judge {
  const files = new Set<string>()
  const folders = new Set<string>()
  const listed = new Set<string>()
  const executables = new Set<string>()
  let entries = 0
  let total = 0

  const enter = (path: string, names: Set<string>, others: ReadonlySet<string>) => {
    entries += 1
    if (entries > limits.ARCHIVE_ENTRIES_MAX)
      throw refuse('invalid_arg', `at most ${limits.ARCHIVE_ENTRIES_MAX} entries are allowed`)
    const problem = pathProblem(path, limits)
    if (problem !== null) throw refuse('invalid_arg', `the path ${shown(path)} ${problem}`)
    const name = foldPath(path)
    if (listed.has(name))
      throw refuse('invalid_arg', `the path ${shown(path)} is in it twice, but for case or accents`)
    listed.add(name)
    names.add(name)
    const parents = [...ancestors(name)]
    if (others.has(name) || parents.some((parent) => files.has(parent)))
      throw refuse('invalid_arg', `the path ${shown(path)} is a file and a folder`)
    for (const parent of parents) folders.add(parent)
  }

  return {
    executables,
    file(path, size, mode = 0) {
      enter(path, files, folders)
      if (size > limits.ARCHIVE_ENTRY_MAX_BYTES)
        throw refuse(
          'invalid_arg',
          `the file ${shown(path)} must have at most ${limits.ARCHIVE_ENTRY_MAX_BYTES} bytes, got ${size}`,
        )
      total += size
      if (total > limits.ARCHIVE_BYTES_MAX)
        throw refuse('invalid_arg', `at most ${limits.ARCHIVE_BYTES_MAX} bytes are allowed in all`)
      if ((mode & OWNER_EXECUTES) !== 0) executables.add(path)
    },
    folder: (path) => enter(path, folders, files),
  }
}

/** The folders that a name lies in, the outermost first. */
function* ancestors(name: string): Generator<string> {
  for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1)) yield name.slice(0, at)
}
