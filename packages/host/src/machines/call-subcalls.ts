import { type Limits, type Refusal, refuse } from '@svc/contract'
import { isSubcall, refusalError } from '@svc/contract/stdio'
import type { Subcalls } from '@svc/runner'
import type { LinkReply } from '@svc/runner/link'
import { refusalOf } from '../kernel/refusal-of.ts'
import type { SendToMachine } from './link-requests.ts'
import { readRequest } from './read-outcome.ts'

/** What the requests of a call need of its link. */
export interface CallSubcallsParts {
  readonly limits: Limits
  readonly send: SendToMachine
  /** Bytes of small messages that wait for the machine. */
  readonly waitingBytes: () => number
}

/**
 * Opens the requests of one call. The machine has judged each (`packages/runner`, `subcalls.ts`): its token, its time
 * and its length. The host counts them again, because it is the host's memory that they take.
 */
export function openCallSubcalls(face: Subcalls, { limits, send, waitingBytes }: CallSubcallsParts) {
  const open = new Map<unknown, AbortController>()
  let isClosed = false

  async function serve(id: number, method: unknown, body: Buffer): Promise<void> {
    const aborter = new AbortController()
    open.set(id, aborter)
    const reply = await replyTo(method, body, aborter.signal)
    if (open.get(id) !== aborter) return
    open.delete(id)
    sendReply(id, reply)
  }

  async function replyTo(method: unknown, body: Buffer, signal: AbortSignal): Promise<LinkReply> {
    try {
      const params = await readRequest(body, limits)
      if (!isSubcall(method) || !params) throw refuse('invalid_arg', 'it is not a request')
      signal.throwIfAborted()
      return await face.onRequest(method, params, signal)
    } catch (error) {
      return { error: refusalError(refusalOf(error)) }
    }
  }

  /** A machine that sends requests but does not read gets no more replies: its requests end by their timeouts. */
  function sendReply(id: number, reply: LinkReply): void {
    if (waitingBytes() > limits.LINK_QUEUE_MAX_BYTES) return
    if (!send({ type: 'reply', id }, Buffer.from(JSON.stringify(reply)))) sendError(id, tooLong)
  }
  const sendError = (id: number, refusal: Refusal) => sendReply(id, { error: refusalError(refusal) })

  return {
    /** Takes a request under the id that the machine gave it. */
    take(id: number, method: unknown, params: Buffer) {
      if (isClosed || open.has(id)) return
      if (open.size < limits.SUBCALLS_PER_CALL) void serve(id, method, params)
      else
        sendError(
          id,
          refuse('rate_limited', `a call may have ${limits.SUBCALLS_PER_CALL} requests under way`),
        )
    },
    /** Refuses one that is too long. */
    refuse: (id: number) =>
      sendError(id, refuse('invalid_arg', `a request may have ${limits.SUBCALL_LINE_MAX_BYTES} bytes`)),
    /** Nobody waits for the answer to this one any more. */
    drop(id: unknown) {
      open.get(id)?.abort()
      open.delete(id)
    },
    /** The call is over: nobody waits for any of them. */
    close() {
      isClosed = true
      for (const aborter of open.values()) aborter.abort()
      open.clear()
    },
  }
}

/** The requests that the plugin of one call makes of the host. */
export type CallSubcalls = ReturnType<typeof openCallSubcalls>

const tooLong = refuse('result_too_large', 'the answer is too long for the link')
