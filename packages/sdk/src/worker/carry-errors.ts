import { type TransferHandler, transferHandlers } from 'comlink'
import type { HostRpcError as DocumentError } from '../errors.ts'

/** Tells an error of a call from any other, whichever copy of the SDK made it. */
export const isHostRpcError = (error: unknown): error is DocumentError =>
  !!(error as DocumentError)?.isHostRpcError

/** `HostRpcError` of `@svc/sdk` in a worker: it takes what the document made of it. */
class CarriedError extends Error {
  readonly isHostRpcError = true
  override readonly name = 'HostRpcError'
  readonly retryable = false
  constructor(fields: object) {
    super()
    Object.assign(this, fields)
  }
}

/** What every failed call rejects with in a worker: `HostRpcError` of `@svc/sdk`, with all of its fields. */
export const HostRpcError = CarriedError as unknown as typeof DocumentError
export type HostRpcError = DocumentError

/** The class of what is made again: that of workers, until a document says its own. */
export const made = { by: HostRpcError }

/** What a `HostRpcError` is made of. */
export const bodyOf = (error: DocumentError) => ({ ...error, message: error.message, name: error.name })

/** Makes a `HostRpcError` again of what it is made of, also where it is the `error` of something. */
export const revive = (value: unknown): unknown => {
  if (isHostRpcError(value)) return new made.by(value)
  const { error } = Object(value)
  return error ? { ...(value as object), error: revive(error) } : value
}

/** Sends what is thrown. */
const thrown = transferHandlers.get('throw') as TransferHandler<
  { readonly value: unknown },
  { readonly isError: boolean; readonly value: unknown }
>
const { serialize, deserialize } = thrown

// Comlink sends the message of an error and no more of it. A side without this reads an `Error` with the same fields.
thrown.serialize = (of) =>
  isHostRpcError(of.value) ? [{ isError: true, value: bodyOf(of.value) }, []] : serialize(of)
thrown.deserialize = (of) => {
  throw isHostRpcError(of.value) ? revive(of.value) : deserialize(of)
}
