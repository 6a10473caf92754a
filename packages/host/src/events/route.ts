import { errorBody, errorRow, Refusal, refuse } from '@svc/contract'
import type { House } from '../house.ts'
import type { EventRoute } from '../http/fronts.ts'
import type { Guard } from '../http/guard.ts'
import type { Head } from '../http/head.ts'
import type { SignIn } from '../users/sign-in.ts'
import { fetchEventStream } from './fetch-stream.ts'
import { nodeEventStream } from './node-stream.ts'
import { readEventsQuery } from './query.ts'
import { type EventsRequest, openEventStreams } from './streams.ts'

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' }

/** Opens the route of the event stream (design §7): judged by Host and sign-in, then streamed by either front. */
export function eventRoute(
  house: House,
  { guard, signIn }: { guard: Guard; signIn: SignIn },
): EventRoute & { close(): void } {
  const streams = openEventStreams(house)

  async function admit(head: Head): Promise<EventsRequest | Refusal> {
    try {
      return await judge(head)
    } catch (error) {
      if (error instanceof Refusal) return error
      house.log.error({ err: error }, 'the event stream could not be opened')
      return refuse('internal_error')
    }
  }
  async function judge(head: Head): Promise<EventsRequest | Refusal> {
    const misplaced = guard.host(head)
    if (misplaced) return misplaced
    const userId = await signIn.userOf(head)
    if (userId === null) return refuse('invalid_token', 'the event stream needs a sign-in')
    const url = new URL(head.url, 'http://host')
    return { userId, ...readEventsQuery(url, head.get('last-event-id'), house.limits) }
  }
  const bodyOf = (refusal: Refusal) => JSON.stringify({ error: errorBody(refusal) })

  return {
    node(head, res) {
      const open = (admitted: EventsRequest | Refusal) => {
        if (res.destroyed) return
        if (!(admitted instanceof Refusal)) return nodeEventStream(streams, admitted, res)
        res.writeHead(errorRow(admitted.code).status, JSON_HEADERS)
        res.end(bodyOf(admitted))
      }
      admit(head)
        .then(open)
        .catch((error: unknown) => {
          house.log.error({ err: error }, 'an event stream failed')
          res.destroy()
        })
    },
    async fetch(head, signal) {
      const admitted = await admit(head)
      const { upgrades } = house.settings
      if (!(admitted instanceof Refusal)) return fetchEventStream(streams, admitted, { signal, upgrades })
      return new Response(bodyOf(admitted), { status: errorRow(admitted.code).status, headers: JSON_HEADERS })
    },
    close: () => streams.close(),
  }
}
