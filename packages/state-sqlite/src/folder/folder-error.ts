/** Why a data folder cannot be used. */
export type FolderErrorCode = 'not_usable' | 'in_use' | 'not_ours' | 'damaged' | 'newer' | 'no_room'

/** Says in one sentence why a data folder cannot be opened, and in `hint` what to do. Nothing in it was changed. */
export class FolderError extends Error {
  override readonly name = 'FolderError'
  readonly code: FolderErrorCode
  /** What to do about it, one sentence. */
  readonly hint: string

  constructor(code: FolderErrorCode, message: string, hint: string, options?: { cause: unknown }) {
    super(message, options)
    this.code = code
    this.hint = hint
  }
}

/** Why the file system refused, in plain words. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk is read-only',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'it is a file',
  ENOSPC: 'the disk is full',
  EMFILE: 'this process has too many open files',
  EIO: 'the disk reports an error',
}

/** Why the file system refused, as the end of a sentence. */
export function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return REASONS[code] ?? message
}

/** Makes of an error of the file system a sentence about the folder. */
export function unusable(dir: string, error: unknown): FolderError {
  const { code } = error as NodeJS.ErrnoException
  return new FolderError(
    code === 'ENOSPC' ? 'no_room' : 'not_usable',
    `the data folder ${dir} cannot be used: ${reasonOf(error)}`,
    code === 'ENOSPC' ? 'Make room on the disk, or choose another folder.' : 'Choose a folder that this user can write.',
    { cause: error },
  )
}
