import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { refuse, START_COOKIE } from '@svc/contract'
import { cookieOf, type Head } from '../../kernel/request/head.ts'
import type { Settings } from '../../kernel/services.ts'

/** The query parameter of the URL that a development host prints at its start. */
export const START_QUERY = 'token'

const FORM = /^[\w-]{32,128}$/
const RANDOM_BYTES = 32

/** Reads the option `startToken`: a random one where it is left out, `null` on a host without the development sign-in. */
export function readStartToken(signIn: Settings['signIn'], given: string | undefined): string | null {
  if (given !== undefined && signIn !== 'dev')
    throw new Error("createHost: startToken belongs to signIn: 'dev', which this host does not have")
  if (given !== undefined && !FORM.test(given))
    throw new Error(
      `createHost: startToken must be 32 to 128 letters, digits, _ and -, got ${given.length} characters`,
    )
  return signIn === 'dev' ? (given ?? randomBytes(RANDOM_BYTES).toString('base64url')) : null
}

/** Opens the start token of a host; a host without the development sign-in has none and lets nobody in by it. */
export function openStartToken(
  { startToken, basePath }: Pick<Settings, 'startToken' | 'basePath'>,
  ttlMs: number,
) {
  const isIt = (text: string | undefined) =>
    startToken !== null && text !== undefined && timingSafeEqual(digest(text), digest(startToken))
  return {
    /** `null` when the request shows the token, as Bearer or by the cookie that it was traded for; else the refusal. */
    judge(head: Head) {
      const bearer = /^Bearer (\S+)$/.exec(head.get('authorization') ?? '')?.[1]
      return isIt(bearer) || isIt(cookieOf(head.get('cookie'), START_COOKIE)) ? null : notShown()
    },
    /** The cookie that a token is traded for; `null` for any other text. */
    cookieFor: (token: string) =>
      isIt(token)
        ? `${START_COOKIE}=${token}; Max-Age=${Math.floor(ttlMs / 1_000)}; HttpOnly; SameSite=Strict; Path=${basePath || '/'}`
        : null,
  }
}

/** What a development host asks of whoever signs in: that he could read what was printed in its terminal. */
export type StartToken = ReturnType<typeof openStartToken>

const notShown = () =>
  refuse(
    'permission_denied',
    'this host accepts only the user who started it, and the request has no valid start token',
    {
      denied_by: 'start_token',
      hint: 'Open the URL that it printed in its terminal, which ends in ?token=…; a program sends the token as Authorization: Bearer.',
    },
  )

/** Of one length, so that neither length nor first difference shows in the time. */
const digest = (text: string) => createHash('sha256').update(text).digest()
