/** JSON-RPC 2.0: the codes that a plugin answers itself. */
export const INVALID_REQUEST = -32_600
export const METHOD_NOT_FOUND = -32_601
export const INVALID_PARAMS = -32_602
export const INTERNAL_ERROR = -32_603

/**
 * Thrown by a tool, it answers the call with a JSON-RPC error (spec §4.5): the program is wrong, or what it was asked.
 * Any other error is a failure of the tool.
 */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number

  constructor(message: string, code: number = INTERNAL_ERROR) {
    super(message)
    this.code = code
  }
}
