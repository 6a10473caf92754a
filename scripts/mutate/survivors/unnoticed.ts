/** Changes of one line that no test can notice, or that none needs to. */
export interface Unnoticed {
  readonly file: string
  /** The line of the source, without its indent. */
  readonly code: string
  readonly changes: readonly string[]
  readonly reason: string
}
