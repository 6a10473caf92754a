/** Why a store refused: it is closed, or the cursor is not one of the scanned index. */
export type StoreErrorCode = 'closed' | 'bad_cursor'

/** The only error a store throws on purpose. */
export class StoreError extends Error {
  /** Tells it from other errors where it comes from another copy of the package. */
  override readonly name = 'StoreError'
  /** Why it was refused. */
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
