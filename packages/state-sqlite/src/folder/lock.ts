import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { FolderError, unusable } from './folder-error.ts'

/** SQLite's code for a file that another process has locked. */
const BUSY = 5

/**
 * Takes a folder for this process; what it returns gives it back, twice is harmless. The lock is one of the operating system, which frees
 * it when the process ends, however it ends. Throws `FolderError` `in_use`, which names the process that has it.
 */
export function lockFolder(dir: string): () => void {
  const owner = path.join(dir, 'lock.pid')
  const db = openLock(dir)
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    writeFileSync(owner, `${process.pid}\n`, { mode: 0o600 })
  } catch (error) {
    db.close()
    if ((error as { errcode?: number }).errcode !== BUSY) throw unusable(dir, error)
    throw new FolderError(
      'in_use',
      `the data folder ${dir} is in use by process ${readOwner(owner)}`,
      'Stop that process first, or choose another folder: one host at a time can use a folder.',
    )
  }
  return () => {
    if (db.isOpen) db.close()
  }
}

function openLock(dir: string): DatabaseSync {
  try {
    const file = path.join(dir, 'lock.db')
    makeLock(file)
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
    return new DatabaseSync(file, { timeout: 0 })
  } catch (error) {
    throw unusable(dir, error)
  }
}

/** Opening one that is there and closing it again would free the locks that this process has on it. */
function makeLock(file: string): void {
  try {
    writeFileSync(file, '', { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function readOwner(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return 'of unknown number'
  }
}
