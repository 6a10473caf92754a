import { BridgeError } from '@svc/bridge'
import {
  type RouteAnswer,
  type RouteCall,
  type RouteInputs,
  type RouteKey,
  routeCall,
} from '@svc/contract/route-client'

/** What a route answered, and the host's date in Unix ms. */
export interface Answer<Key extends RouteKey> {
  readonly value: RouteAnswer<Key>
  readonly date: number | null
}

/** Asks a route of the page's own origin; says when it answered, too. @throws BridgeError */
export type Exchange = <Key extends RouteKey>(key: Key, ...input: RouteInputs<Key>) => Promise<Answer<Key>>

/** Asks a route of the page's own origin. @throws BridgeError */
export type Ask = <Key extends RouteKey>(key: Key, ...input: RouteInputs<Key>) => Promise<RouteAnswer<Key>>

/** A host that accepts a request and does not answer it counts as gone after this. */
const ANSWER_MS = 10_000
/** More than the host gives an install and a describe: its own word on what went wrong comes first. */
export const DESCRIBE_MS = 330_000

/** Speaks the host's routes on the page's own origin. `deadline` makes the signal that gives a request up. */
export function createExchange(
  fetch: typeof globalThis.fetch,
  deadline: (ms: number) => AbortSignal = (ms) => AbortSignal.timeout(ms),
): Exchange {
  async function send({ method, path, body }: RouteCall, answerMs: number) {
    const signal = deadline(answerMs)
    try {
      const response = await fetch(path, {
        method,
        signal,
        credentials: 'same-origin',
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      })
      return { response, text: await response.text() }
    } catch (error) {
      if (signal.aborted) throw unreachable(`no answer within ${answerMs} ms`)
      throw unreachable(error instanceof Error ? error.message : String(error))
    }
  }

  return async <Key extends RouteKey>(key: Key, ...input: RouteInputs<Key>) => {
    const answerMs = key === 'POST /plugs/my/describe' ? DESCRIBE_MS : ANSWER_MS
    const { response, text } = await send(routeCall(key, ...input), answerMs)
    const date = Date.parse(response.headers.get('date') ?? '')
    if (response.ok)
      return {
        value: (text === '' ? {} : parse(text, response.status)) as RouteAnswer<Key>,
        date: Number.isNaN(date) ? null : date,
      }
    const { error } = (parse(text, response.status) ?? {}) as {
      error?: { code?: unknown; message?: unknown }
    }
    const { code, message } = error ?? {}
    throw typeof code === 'string' && typeof message === 'string'
      ? new BridgeError({ ...error, code, message })
      : unreachable(`it answered HTTP ${response.status}`)
  }
}

function parse(text: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unreachable(`it answered HTTP ${status} without JSON`)
  }
}

const unreachable = (why: string) =>
  new BridgeError({ code: 'host_unreachable', message: `the host could not be reached: ${why}` })
