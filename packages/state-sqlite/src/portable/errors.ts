import { FolderError, reasonOf, unusable } from '../folder/folder-error.ts'
import type { Failure } from '../threads/failure.ts'

/** What a thread says of a verb that failed, as an error about the folder. */
export function failureError(dir: string, { code, message }: Failure): Error {
  if (code === 'bug') return new Error(message)
  return code === 'damaged'
    ? new FolderError(
        'damaged',
        `the data folder ${dir} is damaged: ${message}`,
        'Restore the last backup into an empty folder.',
      )
    : new FolderError(
        'not_usable',
        `the data folder ${dir} cannot be used: ${message}`,
        'Make room on the disk, or choose another folder.',
      )
}

/** An error of the file system as an error about the folder; others as they are. */
export const folderErrorOf = (dir: string, error: unknown): unknown =>
  error instanceof Error && 'syscall' in error ? unusable(dir, error) : error

/** An error of the file system as an error about a file that is written; others as they are. */
export const fileErrorOf = (file: string, error: unknown): unknown =>
  error instanceof Error && 'syscall' in error
    ? new FolderError(
        'not_usable',
        `the file ${file} cannot be written: ${reasonOf(error)}`,
        'Choose a place that this user can write, with room.',
        { cause: error },
      )
    : error
