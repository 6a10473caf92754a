/** Why the state of several hosts cannot be read or loaded as a whole. */
export type ClusterErrorCode = 'not_usable' | 'not_empty' | 'damaged' | 'unknown'

/** Says in one sentence why, and in `hint` what to do. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError'
  readonly code: ClusterErrorCode
  /** What to do about it, one sentence. */
  readonly hint: string

  constructor(code: ClusterErrorCode, message: string, hint: string, options?: { cause: unknown }) {
    super(message, options)
    this.code = code
    this.hint = hint
  }
}
