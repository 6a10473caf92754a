import { CLIENT_AGENT_TIMEOUT_MS } from '@svc/contract/browser'
import { repeatable } from '@svc/contract/lanes'
import { asBridgeError, type BridgeError, unreachable } from './bridge-error.ts'
import type { BodyAnswer, Cargo, Carry } from './carry.ts'
import type { Clock } from './clock.ts'
import { setDeadline } from './deadline.ts'
import type { Post } from './forward.ts'
import { envelopeText, failureText, idOf, withId } from './texts.ts'
import type { TokenKeeper } from './token.ts'

/** What a POST of calls needs. */
export interface PostParts {
  readonly carry: Carry
  readonly windowUuid: string
  readonly token: TokenKeeper
  readonly clock: Clock
}

/**
 * Makes the POST of calls: one call is a plain envelope, several are an array answered line by line as each
 * is ready (`design.batch.as_ready`). A token that the host refuses is renewed and the POST repeated once
 * (`wall.token.retry`). Every call is answered, also when nothing came back; only a POST given up by its signal answers
 * nothing.
 */
export function createPost({ carry, windowUuid, token, clock }: PostParts): Post {
  async function send(cargo: Omit<Cargo, 'token'>): Promise<BodyAnswer> {
    const first = token.current() ?? (await token.next())
    const carried = await carry({ ...cargo, token: first })
    return carried.status === 401 ? carry({ ...cargo, token: await token.next(first) }) : carried
  }

  return async (calls, answer, signal) => {
    const open = new Map(calls.map((call) => [call.id, call]))
    const deadline = setDeadline(clock, CLIENT_AGENT_TIMEOUT_MS, signal)
    let last = ''
    let failure: BridgeError
    try {
      const envelopes = calls.map((call) => envelopeText(call, windowUuid))
      const body = envelopes.length === 1 ? envelopes.join() : `[${envelopes.join()}]`
      const onLine = (line: string) => {
        const id = idOf(line) ?? ''
        const call = open.get(id)
        open.delete(id)
        if (call) answer(call, line)
      }
      const mayRepeat = calls.every(({ method }) => repeatable.test(method))
      const cargo = { body, count: calls.length, mayRepeat, onLine, signal: deadline.signal }
      const { text, foreign } = await send(cargo)
      last = text
      failure = foreign?.() ?? unreachable('its answer came without its end')
    } catch (error) {
      if (signal.aborted) return
      failure = asBridgeError(error)
    } finally {
      deadline.end()
    }
    for (const call of open.values()) answer(call, withId(last, call.id) ?? failureText(call.id, failure))
  }
}
