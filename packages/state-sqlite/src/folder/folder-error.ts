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

const WHAT_TO_DO = {
  not_ours: 'Choose an empty folder, or one that svc made.',
  newer:
    'Start the newer version of svc that wrote it, or restore the backup that it made before its upgrade.',
  damaged: 'Restore the last backup into an empty folder; nothing was changed here.',
} as const

/** Makes an error of a folder that holds what this version cannot use; the message says what. */
export const unfit = (code: keyof typeof WHAT_TO_DO, message: string, cause?: unknown): FolderError =>
  new FolderError(code, message, WHAT_TO_DO[code], { cause })

/** Why the file system refused, in plain words. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk is read-only',
  // What making folders one in the other says on a read-only disk.
  ENOENT: 'it cannot be made there, as on a disk that is read-only',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'it is a file',
  ENOSPC: 'the disk is full',
  EMFILE: 'this process has too many open files',
  EIO: 'the disk reports an error',
  ELOOP: 'its path is a loop of symbolic links',
}

/** The same, by what SQLite says: the low byte of its code. */
const KINDS: Readonly<Record<number, string>> = {
  8: 'its files are read-only for this user, or the disk is',
  10: 'the disk reports an error',
  13: 'the disk is full',
  14: 'this user may not write there, or the disk is read-only',
}

/** Why the file system refused, as the end of a sentence; `otherwise` is said of an error that is not known. */
export function reasonOf(error: unknown, otherwise = (error as Error).message): string {
  const { code = '', errcode = 0 } = error as NodeJS.ErrnoException & { errcode?: number }
  return REASONS[code] ?? KINDS[errcode & 0xff] ?? otherwise
}

/** Makes of an error of the file system a sentence about the folder. */
export function unusable(dir: string, error: unknown): FolderError {
  const { code } = error as NodeJS.ErrnoException
  return new FolderError(
    code === 'ENOSPC' ? 'no_room' : 'not_usable',
    `the data folder ${dir} cannot be used: ${reasonOf(error)}`,
    code === 'ENOSPC'
      ? 'Make room on the disk, or choose another folder.'
      : 'Choose a folder that this user can write.',
    { cause: error },
  )
}
