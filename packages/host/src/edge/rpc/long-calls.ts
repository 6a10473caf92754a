import { isCall, readEnvelope, refuse, type WindowClaims } from '@svc/contract'
import { statusAt } from '../../catalog/window-row.ts'
import type { Services } from '../services.ts'
import type { Caller, Dispatch } from './dispatch.ts'
import { type LongBodies, maxBodyBytes } from './long-bodies.ts'
import { refusal, replyOf, tooLarge } from './reply.ts'

/** Opens the way past the gateway for long calls. */
export function openLongCalls(
  { clock, copies, limits }: Pick<Services, 'clock' | 'copies' | 'limits'>,
  dispatch: Dispatch,
  longBodies: LongBodies,
) {
  const short = limits.RPC_BODY_MAX_BYTES

  async function maxBytes({ wid }: WindowClaims): Promise<number> {
    const window = await copies.windows.get(wid)
    if (!window || statusAt(window.row, clock.now(), limits) === 'closed')
      throw refuse('not_found', 'this window is closed')
    const version = await copies.versions.get(window.row.version_id)
    return version ? maxBodyBytes(version.row.manifest, limits) : short
  }

  return {
    /** What a body of this window may have; more only where its app may run sessions. Errors: `not_found`. */
    maxBytes,
    /** Handles a body of a caller whom the gateway admitted: read as it comes, or not at all. */
    async answer(caller: Caller, body: AsyncIterable<Uint8Array>, gone: () => AbortSignal) {
      const max = await maxBytes(caller.claims)
      if (max <= short) return tooLarge(max)
      const read = await longBodies.read(caller.claims.user_id, body, gone())
      if ('over' in read) return tooLarge(read.over)
      const call = readEnvelope(read.value)
      if (isCall(call) && !(call.ns === 'agent' && call.method === 'session.run'))
        return refusal(refuse('invalid_arg', `only agent.session.run may have more than ${short} bytes`), {
          id: call.id,
        })
      return replyOf(await dispatch.serve({ call: read.value, odd: false }, caller, read.size, gone))
    },
  }
}

/** Calls in bodies of more than `RPC_BODY_MAX_BYTES`: runs, which may have attachments. */
export type LongCalls = ReturnType<typeof openLongCalls>
