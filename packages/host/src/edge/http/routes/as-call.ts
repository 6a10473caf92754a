import type { ErrorBody, WindowClaims } from '@svc/contract'
import type { Head } from '../../../kernel/request/head.ts'
import { type Gateway, isAdmission } from '../../rpc/gateway.ts'
import type { Reply } from '../../rpc/reply.ts'
import { sessionRefusal } from './answer.ts'

/** The outcome of a call: its result, or the response with its failure. */
export type CallResult =
  | { readonly result: Readonly<Record<string, unknown>>; readonly claims: WindowClaims }
  | { readonly failure: Response }

/** A call in the form of a route: its `ns.method`, and the arguments, which are read once the gateway has let it in. */
interface RouteCall {
  readonly ns: string
  readonly method: string
  readonly args: (maxBytes: number) => unknown
}

/**
 * Makes the call behind a route: the window token and the cookie admit it, and gateway, dispatch and handler judge it,
 * so that it counts as in flight like any other.
 */
export async function asCall(
  gateway: Gateway,
  head: Head,
  { ns, method, args }: RouteCall,
  gone: AbortSignal,
): Promise<CallResult> {
  const admission = await gateway.admit(head)
  if (!isAdmission(admission)) return { failure: failureOf(envelopeOf(admission).error, admission) }
  const { claims, maxBytes } = admission
  const call = { id: method, window_uuid: claims.wid, ns, method, args: await args(maxBytes) }
  const reply = await gateway.answer(admission, Buffer.from(JSON.stringify(call)), () => gone)
  const { result, error } = envelopeOf(reply)
  return result ? { result, claims } : { failure: failureOf(error, reply) }
}

interface Envelope {
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: ErrorBody
}

function envelopeOf(reply: Reply): Envelope {
  if (!('text' in reply)) throw new Error('one call was answered as a batch')
  return JSON.parse(reply.text)
}

function failureOf(error: ErrorBody | undefined, reply: Reply): Response {
  if (!error) throw new Error('a call returned neither a result nor an error')
  return sessionRefusal(error, reply.status, 'text' in reply ? reply.retryAfterMs : undefined)
}
