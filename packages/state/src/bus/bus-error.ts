/** Why a question got no answer, or why the bus did nothing; `unavailable` and `damaged` as with a store. */
export type BusErrorCode =
  | 'no_host'
  | 'deadline'
  | 'aborted'
  | 'failed'
  | 'closed'
  | 'unavailable'
  | 'damaged'

/** The only error a bus throws on purpose. */
export class BusError extends Error {
  /** Tells it from other errors where it comes from another copy of the package. */
  override readonly name = 'BusError'
  /** Why there was no answer, or nothing was done. */
  readonly code: BusErrorCode

  constructor(code: BusErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options)
    this.code = code
  }
}
