import { CLIENT_AGENT_TIMEOUT_MS } from '@svc/contract/browser'
import { asBridgeError, type BridgeError, unreachable } from './bridge-error.ts'
import type { Clock } from './clock.ts'
import { setDeadline } from './deadline.ts'
import type { Post } from './forward.ts'
import { eachLine } from './lines.ts'
import { type Call, envelopeText, failureText, idOf, withId } from './texts.ts'
import type { TokenKeeper } from './token.ts'

/** What a POST of calls needs. */
export interface PostParts {
  readonly url: string
  readonly windowUuid: string
  readonly token: TokenKeeper
  readonly fetch: typeof fetch
  readonly clock: Clock
}

/**
 * Makes the POST of calls: one call is a plain envelope, several are an array answered line by line as each
 * is ready (design §7). A token that the host refuses is renewed and the POST repeated once (design §8).
 * Every call is answered, also when nothing came back; only a POST given up by its signal answers nothing.
 */
export function createPost({ url, windowUuid, token, fetch, clock }: PostParts): Post {
  async function send(body: string, signal: AbortSignal): Promise<Response> {
    const request = (text: string) =>
      fetch(url, {
        method: 'POST',
        credentials: 'include',
        headers: { 'content-type': 'application/json', 'x-svc-app-token': text },
        body,
        signal,
      })
    const held = token.current()
    const text = typeof held === 'string' ? held : await held
    const response = await request(text)
    if (response.status !== 401) return response
    response.body?.cancel().catch(() => undefined)
    return await request(await token.refused(text))
  }

  return async (calls, answer, signal) => {
    const open = new Map(calls.map((call) => [call.id, call]))
    const deadline = setDeadline(clock, CLIENT_AGENT_TIMEOUT_MS, signal)
    const settle = (call: Call, text: string) => {
      open.delete(call.id)
      answer(call, text)
    }
    let failure: BridgeError
    try {
      const envelopes = calls.map((call) => envelopeText(call, windowUuid))
      const body = envelopes.length === 1 ? envelopes.join() : `[${envelopes.join()}]`
      const response = await send(body, deadline.signal)
      if (calls.length > 1 && response.status === 200)
        await eachLine(response.body, (line) => {
          const call = open.get(idOf(line) ?? '')
          if (call) settle(call, line)
        })
      else {
        const text = await response.text()
        for (const call of [...open.values()]) {
          const whole = withId(text, call.id)
          if (whole !== undefined) settle(call, whole)
        }
      }
      failure = unreachable(`it answered HTTP ${response.status}`, { http_status: response.status })
    } catch (error) {
      if (signal.aborted) return
      failure = asBridgeError(error)
    } finally {
      deadline.end()
    }
    for (const call of [...open.values()]) settle(call, failureText(call.id, failure))
  }
}
