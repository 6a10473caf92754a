/**
 * Why a store refused: it is closed; the cursor is not one of the scanned index; `unavailable`: nothing was written, and
 * the same call may succeed later (the disk is full); `damaged`: what is stored is not what was written.
 */
export type StoreErrorCode = 'closed' | 'bad_cursor' | 'unavailable' | 'damaged'

/** The only error a store, or blobs, throw on purpose. */
export class StoreError extends Error {
  /** Tells it from other errors where it comes from another copy of the package. */
  override readonly name = 'StoreError'
  /** Why it was refused. */
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options)
    this.code = code
  }
}
