/** JSON-RPC 2.0: the codes that a plugin answers itself. */
export const INVALID_REQUEST = -32_600
export const METHOD_NOT_FOUND = -32_601
export const INVALID_PARAMS = -32_602
export const INTERNAL_ERROR = -32_603

/**
 * Thrown by a tool, it answers the call with a JSON-RPC error: the program is wrong, or what it was asked.
 * Any other error is a failure of the tool.
 */
export class RpcError extends Error {
  /** Always `RpcError`. */
  override readonly name = 'RpcError'
  /** The JSON-RPC number. */
  readonly code: number
  /** What goes with the code and the message. */
  readonly data: Readonly<Record<string, unknown>> | undefined

  constructor(
    message: string,
    code: number = INTERNAL_ERROR,
    data?: Readonly<Record<string, unknown>> | undefined,
  ) {
    super(message)
    this.code = code
    this.data = data
  }
}
