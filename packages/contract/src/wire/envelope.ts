import type { ErrorBody } from '../errors/errors.ts'
import { limits } from '../limits/index.ts'
import { isObject } from '../values/is-object.ts'

/** A call as it reaches the host. */
export interface RpcRequest {
  readonly id: string
  readonly window_uuid: string
  readonly ns: string
  readonly method: string
  readonly args: Readonly<Record<string, unknown>>
}

/** The answer to a call. */
export type RpcResponse =
  | {
      /** The id of the call. */
      readonly id: string
      /** It succeeded. */
      readonly ok: true
      /** The result of the method. */
      readonly result: Readonly<Record<string, unknown>>
    }
  | {
      /** The id of the call. */
      readonly id: string
      /** It failed. */
      readonly ok: false
      /** Why. */
      readonly error: ErrorBody
    }

/** What is wrong with a body that is not a call, and the id to answer it under. */
export interface NotACall {
  readonly id: string
  readonly problem: string
}

const names = ['window_uuid', 'ns', 'method'] as const

/** Judges a parsed body: a call, or the sentence that says what is wrong with it. */
export function readEnvelope(body: unknown): RpcRequest | NotACall {
  if (!isObject(body)) return { id: '', problem: 'the body must be one call envelope, a JSON object' }
  const { id, args } = body
  if (typeof id !== 'string') return { id: '', problem: 'id must be a string' }
  if (id.length > limits.CALL_ID_MAX_CHARS)
    return {
      id: '',
      problem: `id must have at most ${limits.CALL_ID_MAX_CHARS} characters, got ${id.length}`,
    }
  for (const name of names) {
    const value = body[name]
    if (typeof value !== 'string') return { id, problem: `${name} must be a string` }
    if (value.length > limits.NAME_MAX_CHARS)
      return {
        id,
        problem: `${name} must have at most ${limits.NAME_MAX_CHARS} characters, got ${value.length}`,
      }
  }
  if (!isObject(args)) return { id, problem: 'args must be an object; send {} for none' }
  return body as unknown as RpcRequest
}

/** Whether it is a call. */
export const isCall = (read: RpcRequest | NotACall): read is RpcRequest => !('problem' in read)

/**
 * The text of a success. `id` comes first in every answer, so that the bridge finds it without parsing.
 * `result` is JSON text already.
 */
export const okText = (id: string, result: string): string =>
  `{"id":${JSON.stringify(id)},"ok":true,"result":${result}}`

/** The text of a failure, `id` first. */
export const errorText = (id: string, error: ErrorBody): string =>
  `{"id":${JSON.stringify(id)},"ok":false,"error":${JSON.stringify(error)}}`
