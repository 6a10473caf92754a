/** Why a store refused: it is closed, or the cursor is not one of the scanned index. */
export type StoreErrorCode = 'closed' | 'bad_cursor'

/** The only error a store throws on purpose. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
