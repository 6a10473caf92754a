/** Why the archive of a state is refused: it is not one, it is damaged, or a newer version wrote it. */
export type ArchiveErrorCode = 'not_ours' | 'damaged' | 'newer'

const HINTS: Readonly<Record<ArchiveErrorCode, string>> = {
  not_ours: 'Use a file that svc data backup or svc data export wrote.',
  damaged: 'Use another backup: this one is not what was written.',
  newer: 'Use the version of svc that wrote it, or a newer one.',
}

/** Says in one sentence why the archive of a state cannot be read or written, and in `hint` what to do. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
  readonly code: ArchiveErrorCode
  /** What to do about it, one sentence. */
  readonly hint: string

  constructor(code: ArchiveErrorCode, message: string, options?: { cause?: unknown; hint?: string }) {
    super(message, options)
    this.code = code
    this.hint = options?.hint ?? HINTS[code]
  }
}
