import { BusError, StoreError } from '@svc/state/driver'
import { type Failure, failureOf } from '../threads/failure.ts'
import type { RoleName } from '../threads/roles.ts'
import { FolderError, reasonOf, unfit, unusable } from './folder-error.ts'

/** Makes of whatever was thrown an error that says why a folder cannot be opened. */
export function folderErrorOf(root: string, error: unknown): FolderError {
  if (error instanceof FolderError) return error
  if (!(error instanceof StoreError || error instanceof BusError)) {
    const failure = failureOf(error)
    return failure.code === 'damaged'
      ? unfit('damaged', sentenceOf(root, failure), error)
      : unusable(root, error)
  }
  return error.code === 'damaged'
    ? unfit('damaged', error.message, error)
    : new FolderError('not_usable', error.message, 'Make room on the disk, or choose another folder.', {
        cause: error,
      })
}

/** Says a failure of a thread; without `dir` the sentence names no folder. */
export function sentenceOf(dir: string, { code, message }: Failure): string {
  return code === 'damaged'
    ? `the data folder${dir && ` ${dir}`} is damaged: ${message}`
    : `the data folder${dir && ` ${dir}`} cannot be written: ${message}`
}

/** Makes of a failure of a thread what a caller of the store or the bus gets. */
export function errorOf(dir: string, role: RoleName, failure: Failure): Error {
  if (failure.code === 'bug') return new Error(failure.message)
  const text = sentenceOf(dir, failure)
  return role === 'journals' ? new BusError(failure.code, text) : new StoreError(failure.code, text)
}

/** Makes of an error of the file system what a caller of the blobs gets. */
export function blobErrorOf(dir: string, error: unknown): Error {
  if (error instanceof StoreError) return error
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined) return error as Error
  return new StoreError('unavailable', unusable(dir, error).message, { cause: error })
}

/** What is said of a blob that could not be written names no file. */
export function blobFailureOf(error: unknown): Failure {
  const { code } = error as NodeJS.ErrnoException
  return code === undefined
    ? { code: 'bug', message: String(error) }
    : { code: 'unavailable', message: reasonOf(error, `the file system refuses it with ${code}`) }
}
