import { refuse } from '@svc/contract/errors'
import { refusalError } from '@svc/contract/stdio'
import type { LinkReply } from '../link/index.ts'
import type { SubcallReply, Subcalls } from '../port/runner.ts'
import type { SendToHost } from './send.ts'

/** What plugins of this machine ask of the host, within the calls that it made. */
export function openSubcallSender(send: SendToHost) {
  const open = new Map<number, (reply: SubcallReply) => void>()
  let ids = 0

  function ask(
    call: number,
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<SubcallReply> {
    ids += 1
    const id = ids
    const sent = send({ type: 'ask', id, call, method }, Buffer.from(JSON.stringify(params)))
    if (!sent) return Promise.resolve(failed('invalid_arg', 'the request is too long for the link'))
    return new Promise((resolve) => {
      const settle = (reply: SubcallReply) => {
        open.delete(id)
        signal.removeEventListener('abort', onAbort)
        resolve(reply)
      }
      const onAbort = () => {
        if (!open.has(id)) return
        if (!sent.drop()) send({ type: 'unask', id, call })
        settle(failed('cancelled', 'nobody waits for the answer any more'))
      }
      signal.addEventListener('abort', onAbort)
      open.set(id, settle)
    })
  }

  return {
    /** The host as the plugin of one call may ask it. */
    of: (call: number, samplingToken: string): Subcalls => ({
      samplingToken,
      onRequest: (method, params, signal) => ask(call, method, params, signal),
    }),
    has: (id: unknown) => open.has(id as number),
    /** Takes what the host answered. */
    take: (id: number, body: Buffer) => open.get(id)?.(readReply(body)),
    /** The host is gone. */
    end(): void {
      for (const settle of [...open.values()])
        settle(failed('agent_unavailable', 'the link to the host is lost'))
    },
  }
}

const failed = (...refusal: Parameters<typeof refuse>): SubcallReply => ({
  error: refusalError(refuse(...refusal)),
})

function readReply(body: Buffer): SubcallReply {
  try {
    const reply: unknown = JSON.parse(body.toString())
    if (typeof reply === 'object' && reply !== null && ('result' in reply || 'error' in reply))
      return reply as LinkReply
  } catch {
    // Told below.
  }
  return failed('internal_error')
}
