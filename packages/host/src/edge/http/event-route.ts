import type { ServerResponse } from 'node:http'
import { errorBody, errorRow, Refusal, refuse } from '@svc/contract'
import { noteDenied } from '../../access/audit/audit.ts'
import { checkSignedInCopy, type SignIn, signOutsOf } from '../../access/users/sign-in.ts'
import { type EventsRequest, openEventStreams } from '../../events/event-streams.ts'
import { readEventsQuery } from '../../events/query.ts'
import { COMMENT } from '../../events/sse.ts'
import { fetchEventStream, nodeEventStream } from '../../events/stream-response.ts'
import { hostClosing } from '../../kernel/leaving.ts'
import { loggedRefusal } from '../../kernel/refusal-of.ts'
import type { Head } from '../../kernel/request/head.ts'
import type { Guard } from '../guard.ts'
import { retryAfterOf, retryHeaders } from '../rpc/reply.ts'
import type { Services } from '../services.ts'
import type { EventRoute } from './fronts.ts'

/** What a page asks for, and how many times its user had been signed out everywhere. */
interface AdmittedRequest extends EventsRequest {
  readonly signOuts: number
}

const RETRY_MS = 10_000

const headersOf = (refusal: Refusal) => ({
  'content-type': 'application/json; charset=utf-8',
  ...retryHeaders(retryAfterOf(refusal)),
})

const tooMany = ({ EVENT_STREAMS_PER_USER: max }: Services['limits']) =>
  refuse('rate_limited', `a user may have ${max} event streams open`, {
    hint: 'Close another page.',
    retry_after_ms: RETRY_MS,
  })

/** Opens the route of the event stream: judged by Host and sign-in, then streamed by either front. */
export function eventRoute(
  services: Services,
  { guard, signIn }: { guard: Guard; signIn: SignIn },
): EventRoute & { close(): void } {
  const streams = openEventStreams(services)
  // Where one sign-in ended, the pages of the others connect again.
  services.users.onEnd(({ user_id }) => streams.endOf(user_id))

  async function admit(head: Head): Promise<AdmittedRequest | Refusal> {
    try {
      const judged = await judge(head)
      noteDenied(services.audit, judged, { head, method: 'calls.events' })
      return judged
    } catch (error) {
      noteDenied(services.audit, error, { head, method: 'calls.events' })
      return loggedRefusal(services.log, error, 'the event stream could not be opened')
    }
  }
  async function judge(head: Head): Promise<AdmittedRequest | Refusal> {
    const { leaving, limiter } = services
    if (leaving.isLeaving) return hostClosing()
    const misplaced = guard.host(head)
    if (misplaced) {
      limiter.consumeFrom('refused', head)
      return misplaced
    }
    limiter.checkUnspent('refused', head)
    const userId = await signIn.userOf(head)
    if (userId === null) {
      limiter.consumeFrom('refused', head)
      return refuse('invalid_token', 'the event stream needs a sign-in')
    }
    limiter.consume('route', userId)
    const url = new URL(head.url, 'http://host')
    const signOuts = signOutsOf(await services.copies.users.get(userId))
    const query = readEventsQuery(url, head.get('last-event-id'), services.limits)
    return { userId, signOuts, untilMs: await signIn.endOf(head), ...query }
  }
  /** Checked without a wait before the stream is opened, so that no two requests take the same slot. */
  const refuseIfFull = (admitted: AdmittedRequest | Refusal) =>
    !(admitted instanceof Refusal) && streams.isFull(admitted.userId) ? tooMany(services.limits) : admitted
  /** Checked again once the stream is open: a sign-out before that found no stream to end. */
  function recheckSignIn({ userId, signOuts }: AdmittedRequest): void {
    checkSignedInCopy(services, userId, signOuts).catch((error: unknown) => {
      if (!(error instanceof Refusal)) services.log.warn({ err: error }, 'the user of a stream was not found')
      streams.endOf(userId)
    })
  }
  async function sendRefusal(refusal: Refusal, head: Head, res: ServerResponse): Promise<void> {
    const turn = refusal.code === 'rate_limited' ? services.limiter.slowRefusal(head) : null
    if (turn && !(await turn)) res.destroy()
    if (res.destroyed) return
    res.writeHead(errorRow(refusal.code).status, headersOf(refusal))
    res.end(bodyOf(refusal))
  }
  const bodyOf = (refusal: Refusal) => JSON.stringify({ error: errorBody(refusal) })

  return {
    node(head, res) {
      const open = (judged: AdmittedRequest | Refusal) => {
        if (res.destroyed) return
        const admitted = refuseIfFull(judged)
        if (!(admitted instanceof Refusal)) {
          nodeEventStream(streams, admitted, res)
          return recheckSignIn(admitted)
        }
        return sendRefusal(admitted, head, res)
      }
      admit(head)
        .then(open)
        .catch((error: unknown) => {
          services.log.error({ err: error }, 'an event stream failed')
          res.destroy()
        })
    },
    async fetch(head, signal) {
      const admitted = refuseIfFull(await admit(head))
      const { upgrades } = services.settings
      if (!(admitted instanceof Refusal)) {
        const stream = fetchEventStream(streams, admitted, { signal, upgrades })
        recheckSignIn(admitted)
        return stream
      }
      return new Response(bodyOf(admitted), {
        status: errorRow(admitted.code).status,
        headers: headersOf(admitted),
      })
    },
    async socket(head, connect) {
      const admitted = refuseIfFull(await admit(head))
      if (admitted instanceof Refusal) return admitted
      const connection = connect()
      // Where the page begins may take a while to find.
      connection?.write(Buffer.from(COMMENT))
      const events = connection && streams.open(admitted, connection)
      recheckSignIn(admitted)
      return events
    },
    close: () => streams.close(),
  }
}
