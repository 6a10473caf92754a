import { jsonText } from '@svc/contract/json-oddity'
import { JSONRPC, type SubcallMethod } from '@svc/contract/stdio'
import { HostError, hostErrorOf } from './host-error.ts'

/** Where the requests of one call go, and what they show. */
export interface RequestOptions {
  /** Takes one line, without its line feed. */
  readonly send: (line: string) => void
  /** `context.sampling_token` of the call; without it every request is refused here. */
  readonly samplingToken: string | undefined
}

/** The requests of one call to the host. */
export interface Requests {
  /** Asks and waits for the answer. Errors: `HostError`; the reason of `close`. */
  ask<T>(method: SubcallMethod, params: Readonly<Record<string, unknown>>): Promise<T>
  /** Takes a message; whether it answered a request of these. */
  take(message: Readonly<Record<string, unknown>>): boolean
  /** Ends what waits, and all that comes after, with a reason; the first one stays. */
  close(reason: unknown): void
}

/** Opens them. */
export function openRequests({ send, samplingToken }: RequestOptions): Requests {
  const waiting = new Map<unknown, { resolve(result: never): void; reject(error: unknown): void }>()
  let over: { readonly reason: unknown } | undefined

  return {
    ask(method, params) {
      if (over) return quiet(Promise.reject(over.reason))
      if (samplingToken === undefined) return quiet(Promise.reject(notDeclared(method)))
      // No other request of the process has it, whatever call it belongs to.
      const id = `sub-${crypto.randomUUID()}`
      return quiet(
        new Promise((resolve, reject) => {
          const line = { jsonrpc: JSONRPC, id, method, params: { ...params, sampling_token: samplingToken } }
          // What JSON cannot hold rejects here.
          const text = jsonText(line, 'request') ?? ''
          waiting.set(id, { resolve, reject })
          send(text)
        }),
      )
    },
    take({ id, result, error }) {
      const one = waiting.get(id)
      if (!one) return false
      waiting.delete(id)
      if (typeof error === 'object' && error !== null) one.reject(hostErrorOf(error))
      else one.resolve(result as never)
      return true
    },
    close(reason) {
      over ??= { reason }
      for (const { reject } of waiting.values()) reject(over.reason)
      waiting.clear()
    },
  }
}

/** A promise that nobody waits for ends no process when it is rejected, as one of a call that is over may be. */
export function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

const notDeclared = (method: string) =>
  new HostError(`this call has no sampling_token, so ${method} cannot be asked`, {
    name: 'permission_denied',
    details: { denied_by: 'plugin', hint: 'List what the plugin needs in hostCapabilities of serve().' },
  })
