import { type Refusal, refuse } from '@svc/contract/errors'
import type { Limits } from '@svc/contract/limits'
import { pause } from '../pause.ts'
import { foldPath, pathProblem, shown } from './path.ts'
import { TURN_ENTRIES } from './turns.ts'

/** Judges the entries of one archive as they come: path, doubles, count and sizes (docs/decisions/0014-archives.md). */
export interface Judge {
  /** Takes a file of `size` bytes and its Unix mode, 0 where it has none. Throws `invalid_arg` where a rule is broken. */
  file(path: string, size: number, mode?: number): void
  /** Takes a folder. Throws `invalid_arg` where a rule is broken. */
  folder(path: string): void
  /** Takes no more of them, and looks whether one lies in a file. Rejects with `invalid_arg`. */
  end(): Promise<void>
  /** The files so far that their owner may execute. */
  readonly executables: ReadonlySet<string>
}

const OWNER_EXECUTES = 0o100

/** The refusal of an archive, with its reason. */
export const badArchive = (reason: string): Refusal => refuse('invalid_arg', `the archive ${reason}`)

/** Opens a judge for one archive. */
export function openJudge(limits: Limits): Judge {
  /** Paths by the name that two of them must not share. */
  const files = new Map<string, string>()
  const listed = new Set<string>()
  const executables = new Set<string>()
  let entries = 0
  let total = 0

  const enter = (path: string): string => {
    entries += 1
    if (entries > limits.ARCHIVE_ENTRIES_MAX)
      throw refuse('invalid_arg', `at most ${limits.ARCHIVE_ENTRIES_MAX} entries are allowed`)
    const problem = pathProblem(path, limits)
    if (problem !== null) throw refuse('invalid_arg', `the path ${shown(path)} ${problem}`)
    const name = foldPath(path)
    if (listed.has(name))
      throw refuse('invalid_arg', `the path ${shown(path)} is in it twice, but for case or accents`)
    listed.add(name)
    return name
  }

  return {
    executables,
    file(path, size, mode = 0) {
      files.set(enter(path), path)
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
    folder: (path) => void enter(path),
    async end() {
      let last = ''
      let looks = 0
      for (const name of listed) {
        const parent = folderOf(name)
        // Those of one folder mostly follow each other.
        if (parent === last) continue
        last = parent
        for (let folder = parent; folder !== ''; folder = folderOf(folder)) {
          const path = files.get(folder)
          if (path !== undefined)
            throw refuse('invalid_arg', `the path ${shown(path)} is a file and a folder`)
        }
        looks += 1
        if (looks % TURN_ENTRIES === 0) await pause()
      }
    },
  }
}

/** The folder that a name lies in; `''` where it lies in none. */
const folderOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('/')))
