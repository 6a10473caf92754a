import { type BridgeError, notTheHost } from './bridge-error.ts'
import { eachLine } from './lines.ts'

/** A body of calls on its way to the host. */
export interface Cargo {
  /** One envelope, or an array of several. */
  readonly body: string
  /** How many calls it holds. */
  readonly count: number
  /** Whether it does no harm when it is carried out twice. */
  readonly mayRepeat: boolean
  /** The window's token. */
  readonly token: string
  /** Takes each answer as it comes, where the host took the body and tells them apart. */
  readonly onLine: (line: string) => void
  readonly signal: AbortSignal
}

/** What a body met: its status, and the text of the last or only answer. */
export interface BodyAnswer {
  readonly status: number
  readonly text: string
  /** What to say where calls found no answer in it: something on the way to the host may have answered. */
  readonly foreign?: () => BridgeError
}

/** Carries a body to the host; rejects when the host was not reached, or with the signal's reason. */
export type Carry = (cargo: Cargo) => Promise<BodyAnswer>

/** Carries each body as a POST of its own. */
export const carryByPost =
  (url: string, fetch: typeof globalThis.fetch): Carry =>
  async ({ body, count, token, onLine, signal }) => {
    const response = await fetch(url, {
      method: 'POST',
      credentials: 'include',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', 'x-svc-app-token': token },
      body,
      signal,
    })
    const { status } = response
    let text = ''
    if (count === 1 || status !== 200) text = await response.text()
    else await eachLine(response.body, onLine)
    return { status, text, foreign: () => notTheHost(response, url) }
  }
