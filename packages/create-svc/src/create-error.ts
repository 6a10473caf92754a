/** How creating can fail: the exit code of each kind, as those of `svc`. */
const exitCodes = {
  /** What was asked for was done, and it did not hold: an install that failed. */
  failed: 1,
  /** The command line itself: an unknown option, a bad name. */
  usage: 2,
  /** A folder that cannot be used. */
  folder: 3,
} as const

/** What creating ends with: one sentence, and a hint on what to do. */
export class CreateError extends Error {
  override readonly name = 'CreateError'
  readonly kind: keyof typeof exitCodes
  readonly hint: string

  constructor(kind: keyof typeof exitCodes, sentence: string, hint: string) {
    super(sentence)
    this.kind = kind
    this.hint = hint
  }

  get exitCode(): number {
    return exitCodes[this.kind]
  }
}
