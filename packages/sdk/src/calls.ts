import type { CallOptions, RpcResponse, WindowHelloResult } from '@svc/contract/client'
import { argsError, argsText } from './args-text.ts'
import type { Clock } from './clock.ts'
import { HostRpcError, ownError } from './errors.ts'
import { chosenMs, waitMs } from './waits.ts'
import type { Wire } from './wire.ts'

/** Where calls go. */
export type Sender = Pick<Wire, 'call' | 'drop'>

interface Waiting {
  /** The method with its namespace: `storage.get`. */
  readonly name: string
  readonly waitMs: number
  readonly deadline: number
  resolve(result: unknown): void
  reject(error: HostRpcError): void
  /** Takes the listener off the caller's signal. */
  release(): void
}

/** The calls of a document that wait for their answers. */
export interface Calls {
  call(ns: string, method: string, args: unknown, options?: CallOptions): Promise<unknown>
  /** Settles a call with the envelope's text; an answer that nobody waits for is dropped. */
  answer(id: number, text: string): void
  /** Rejects everything that waits. */
  failAll(makeError: (name: string) => HostRpcError): void
}

/** The rejection of what finds no page around the document. */
export const notHosted = (): HostRpcError =>
  ownError('not_hosted', 'no host page answers this document', { hint: 'Open the app in the shell.' })

/**
 * Keeps the waiting calls. Every promise settles: result, error, `timeout`, `cancelled`, or `failAll`.
 * One timer serves all waits: it is set for the earliest deadline and looks again when it fires.
 *
 * @param open returns where calls go, and opens it for the first of them; `undefined` where nobody is around.
 */
export function createCalls(open: () => Sender | undefined, clock: Clock): Calls {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let timer: unknown
  let timerAt = 0
  /** The longest timeout of a declared tool, in ms, as `hello` told it. */
  let toolTimeoutMs: number | undefined

  function settle(id: number): Waiting | undefined {
    const call = waiting.get(id)
    waiting.delete(id)
    call?.release()
    return call
  }

  /** Rejects a call that waits, and tells the page. */
  function giveUp(id: number, error: HostRpcError): void {
    open()?.drop(id)
    settle(id)?.reject(error)
  }

  /** Sets the timer for a deadline, unless it is set for one before. */
  function watch(deadline: number): void {
    if (timer !== undefined && timerAt <= deadline) return
    clock.clearTimeout(timer)
    timerAt = deadline
    timer = clock.setTimeout(checkWaits, deadline - clock.now())
  }

  function checkWaits(): void {
    clock.clearTimeout(timer)
    timer = undefined
    for (const [id, { name, waitMs, deadline }] of waiting) {
      if (clock.now() >= deadline)
        giveUp(id, ownError('timeout', `${name} got no answer within ${waitMs} ms`))
      else watch(deadline)
    }
  }

  return {
    call(ns, method, args = {}, { timeoutMs, signal } = {}) {
      return new Promise((resolve, reject) => {
        const name = `${ns}.${method}`
        const ms =
          timeoutMs === undefined ? waitMs(name, args, toolTimeoutMs) : chosenMs('timeoutMs', timeoutMs)
        const givenUp = () => ownError('cancelled', `${name} was given up by its signal`)
        if (signal?.aborted) throw givenUp()
        const text = argsText(args)
        if (!text) return argsError(name, args).then(reject, reject)
        const sender = open()
        if (!sender) throw notHosted()
        const id = ++lastId
        const deadline = clock.now() + ms
        const abort = () => giveUp(id, givenUp())
        const release = () => signal?.removeEventListener('abort', abort)
        signal?.addEventListener('abort', abort)
        waiting.set(id, { name, waitMs: ms, deadline, resolve, reject, release })
        watch(deadline)
        sender.call(id, ns, method, text)
      })
    },
    answer(id, text) {
      const call = settle(id)
      if (!call) return
      try {
        const response = JSON.parse(text) as RpcResponse
        if (response.ok) {
          const { result } = response
          if (call.name === 'window.hello')
            toolTimeoutMs = (result as Partial<WindowHelloResult>).capabilities?.tool_timeout_ms
          call.resolve(result)
        } else call.reject(new HostRpcError(response.error))
      } catch {
        call.reject(ownError('internal_error', `the answer to ${call.name} is not an envelope`))
      }
    },
    failAll(makeError) {
      for (const [id, { name }] of waiting) settle(id)?.reject(makeError(name))
      checkWaits()
    },
  }
}
