import { constants, existsSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, open, readdir, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { emptyTree, rename } from '@svc/node'
import { diskNameProblem } from '@svc/node/archive'
import { failure } from '../terminal/failure.ts'

/**
 * Refuses a place where a folder cannot be written: one that has files, a file, a link, the current folder, and one whose
 * parent does not exist. Errors: `config`.
 */
export async function checkFree(dir: string): Promise<void> {
  const parent = await lstat(path.dirname(dir)).catch(() => null)
  if (!parent) throw failure('config', `there is no folder ${path.dirname(dir)}`, 'Make it first.')
  const found = await lstat(dir).catch(() => null)
  if (!found) return
  if (!found.isDirectory()) throw occupied(dir, 'is not a folder')
  if (path.relative(dir, process.cwd()) === '') throw occupied(dir, 'is the current folder')
  if ((await readdir(dir)).length > 0) throw occupied(dir, 'has files')
}

/**
 * Writes files into a folder that is new or empty, all of them or none: into a fresh one beside it, which only this user
 * may enter until one rename gives it its name. The paths were judged by the rules of archives. Errors: `config`.
 */
export async function writeFolder(
  dir: string,
  files: ReadonlyMap<string, Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  await checkFree(dir)
  for (const name of files.keys()) {
    const problem = diskNameProblem(name)
    if (problem !== null) throw failure('config', `${name} cannot be written here: it ${problem}`)
  }
  const scratch = await mkdtemp(path.join(path.dirname(dir), '.svc-pull-'))
  // By what is open: where others may change the folder above, another one could come to have that name.
  const held = existsSync('/proc/self/fd') ? await open(scratch, FOLDER) : null
  const own = held ? `/proc/self/fd/${held.fd}/.` : scratch
  try {
    const made = path.join(own, 'app')
    await mkdir(made)
    for (const [name, bytes] of files) {
      signal.throwIfAborted()
      const file = path.join(made, name)
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, bytes, { flag: 'wx' })
    }
    // Windows renames nothing over a folder, also where it is empty.
    if (process.platform === 'win32') await rmdir(dir).catch(() => {})
    await rename(made, dir).catch((error: NodeJS.ErrnoException) => {
      throw filled.has(error.code) ? occupied(dir, 'has files by now') : error
    })
  } catch (error) {
    throw isSystem(error) ? failure('config', `${dir} could not be written: ${error.message}`) : error
  } finally {
    await emptyTree(own)
    await held?.close()
    await rmdir(scratch).catch(() => {})
  }
}

/** A folder that is no link. */
const FOLDER = constants.O_DIRECTORY | constants.O_NOFOLLOW

/** What a rename says of a place that was taken meanwhile. */
const filled: ReadonlySet<string | undefined> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR'])

const isSystem = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error

const occupied = (dir: string, why: string) =>
  failure('config', `${dir} ${why}`, 'Name a folder that is new or empty: --to DIR')
