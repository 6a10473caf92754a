import type { CallOptions, RpcResponse } from '@svc/contract/client'
import { argsText } from './args-text.ts'
import type { Clock } from './clock.ts'
import { HostRpcError, ownError, wrongArg } from './errors.ts'
import { chosenMs, MS_RULE, waitMs } from './waits.ts'

/** Where calls go: opened by the first one. */
export interface Sender {
  send(id: number, ns: string, method: string, argsText: string): void
  drop(id: number): void
}

interface Waiting {
  readonly ns: string
  readonly method: string
  readonly waitMs: number
  readonly deadline: number
  resolve(result: unknown): void
  reject(error: HostRpcError): void
  /** Takes the listener off the caller's signal. */
  release: (() => void) | undefined
}

/** The calls of a document that wait for their answers. */
export interface Calls {
  call(ns: string, method: string, args: unknown, options?: CallOptions): Promise<unknown>
  /** Settles a call with the envelope's text; an answer that nobody waits for is dropped. */
  answer(id: number, text: string): void
  /** Rejects everything that waits. */
  failAll(makeError: (name: string) => HostRpcError): void
  /** The longest timeout of a declared tool, in ms, as `hello` told it. */
  toolTimeoutMs: number | undefined
}

const none: CallOptions = {}
const nameOf = ({ ns, method }: Waiting): string => `${ns}.${method}`
const givenUp = (ns: string, method: string) =>
  ownError('cancelled', `${ns}.${method} was given up by its signal`)

/**
 * Keeps the waiting calls. Every promise settles: result, error, `timeout`, `cancelled`, or `failAll`.
 * One timer serves all waits: it is set for the earliest deadline and looks again when it fires.
 */
export function createCalls(sender: Sender, clock: Clock): Calls {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let timer: unknown
  let timerAt = Number.POSITIVE_INFINITY

  function settle(id: number): Waiting | undefined {
    const call = waiting.get(id)
    waiting.delete(id)
    call?.release?.()
    return call
  }

  function giveUp(id: number, error: HostRpcError): void {
    const call = settle(id)
    if (!call) return
    sender.drop(id)
    call.reject(error)
  }

  function watch(deadline: number): void {
    clock.clearTimeout(timer)
    timerAt = deadline
    timer = clock.setTimeout(checkWaits, Math.max(0, deadline - clock.now()))
  }

  function checkWaits(): void {
    timerAt = Number.POSITIVE_INFINITY
    const now = clock.now()
    for (const [id, call] of waiting) {
      if (now >= call.deadline)
        giveUp(id, ownError('timeout', `${nameOf(call)} got no answer within ${call.waitMs} ms`))
      else if (call.deadline < timerAt) watch(call.deadline)
    }
  }

  const calls: Calls = {
    toolTimeoutMs: undefined,
    call(ns, method, args = {}, { timeoutMs, signal } = none) {
      return new Promise((resolve, reject) => {
        const ms =
          timeoutMs === undefined ? waitMs(ns, method, args, calls.toolTimeoutMs) : chosenMs(timeoutMs)
        if (ms === undefined) return reject(wrongArg('timeoutMs', MS_RULE, timeoutMs))
        if (signal?.aborted) return reject(givenUp(ns, method))
        const text = argsText(ns, method, args)
        if (typeof text !== 'string') return reject(text)
        const id = ++lastId
        const deadline = clock.now() + ms
        const call: Waiting = { ns, method, waitMs: ms, deadline, resolve, reject, release: undefined }
        if (signal) {
          const abort = () => giveUp(id, givenUp(ns, method))
          signal.addEventListener('abort', abort)
          call.release = () => signal.removeEventListener('abort', abort)
        }
        waiting.set(id, call)
        if (deadline < timerAt) watch(deadline)
        sender.send(id, ns, method, text)
      })
    },
    answer(id, text) {
      const call = settle(id)
      if (!call) return
      try {
        const response = JSON.parse(text) as RpcResponse
        if (response.ok) call.resolve(response.result)
        else call.reject(new HostRpcError(response.error))
      } catch {
        call.reject(ownError('internal_error', `the answer to ${nameOf(call)} is not an envelope`))
      }
    },
    failAll(makeError) {
      clock.clearTimeout(timer)
      timerAt = Number.POSITIVE_INFINITY
      for (const [id, call] of waiting) {
        settle(id)
        call.reject(makeError(nameOf(call)))
      }
    },
  }
  return calls
}
