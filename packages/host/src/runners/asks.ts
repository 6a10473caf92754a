import { type Limits, Refusal, refuse } from '@svc/contract'
import type { LinkReply } from '@svc/contract/link-wire'
import { isSubcall, refusalError } from '@svc/contract/stdio'
import type { Subcalls } from '@svc/runner'
import type { SendToMachine } from './questions.ts'
import { readObject } from './read-json.ts'

/** The requests that the plugin of one call makes of the host. */
export interface Asks {
  /** Takes a request under the id that the machine gave it. */
  take(id: number, method: unknown, params: Buffer): void
  /** Refuses one that is too long. */
  refuse(id: number): void
  /** Nobody waits for the answer to this one any more. */
  drop(id: unknown): void
  /** The call is over: nobody waits for any of them. */
  close(): void
}

/**
 * Opens the requests of one call. The machine has judged each (`packages/runner`, `subcalls.ts`): its token, its time
 * and its length. The host counts them again, because it is the host's memory that they take.
 */
export function openAsks(face: Subcalls, send: SendToMachine, limits: Limits): Asks {
  const open = new Map<unknown, AbortController>()

  async function serve(id: number, method: unknown, body: Buffer): Promise<void> {
    const aborter = new AbortController()
    open.set(id, aborter)
    const reply = await replyTo(method, body, aborter.signal)
    if (open.get(id) !== aborter) return
    open.delete(id)
    if (!send({ type: 'reply', id }, Buffer.from(JSON.stringify(reply)))) sendError(id, tooLong)
  }

  async function replyTo(method: unknown, body: Buffer, signal: AbortSignal): Promise<LinkReply> {
    const params = readObject(body, limits)
    if (!isSubcall(method) || !params)
      return { error: refusalError(refuse('invalid_arg', 'it is no request')) }
    try {
      return await face.onRequest(method, params, signal)
    } catch (error) {
      return { error: refusalError(error instanceof Refusal ? error : refuse('internal_error')) }
    }
  }

  function sendError(id: number, refusal: Refusal): void {
    const reply: LinkReply = { error: refusalError(refusal) }
    send({ type: 'reply', id }, Buffer.from(JSON.stringify(reply)))
  }

  return {
    take(id, method, params) {
      if (open.has(id)) return
      if (open.size < limits.SUBCALLS_PER_CALL) void serve(id, method, params)
      else
        sendError(
          id,
          refuse('rate_limited', `a call may have ${limits.SUBCALLS_PER_CALL} requests under way`),
        )
    },
    refuse: (id) =>
      sendError(id, refuse('invalid_arg', `a request may have ${limits.SUBCALL_LINE_MAX_BYTES} bytes`)),
    drop(id) {
      open.get(id)?.abort()
      open.delete(id)
    },
    close() {
      for (const aborter of open.values()) aborter.abort()
      open.clear()
    },
  }
}

const tooLong = refuse('result_too_large', 'the answer is too long for the link')
