import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { cookieAt, refuse, START_COOKIE } from '@svc/contract'
import { type Clock, isSameText, startProof } from '@svc/node'
import { OptionError, secret, textThat } from '@svc/node/options'
import { cookieOf, type Head } from '../../kernel/request/head.ts'
import { isThisMachine } from '../../kernel/request/this-machine.ts'
import type { Settings } from '../../kernel/services.ts'

/** The query parameter of the URL that a development host prints at its start. */
export const START_QUERY = 'token'

/** What the option `startToken` may be. */
export const startTokenRule = secret(
  textThat('must be 32 to 128 letters, digits, _ and -', /^[\w-]{32,128}$/),
)
const RANDOM_BYTES = 32

/**
 * Reads the option `startToken`: a random one where it is left out, `null` on a host without the development sign-in.
 * `elsewhere` is an origin of the host that is not this machine, which such a sign-in may not have.
 */
export function readStartToken(
  signIn: Settings['signIn'],
  given: string | undefined,
  elsewhere: string | undefined,
): string | null {
  if (signIn === 'dev' && elsewhere !== undefined)
    throw new OptionError(
      `createHost: signIn: 'dev' asks for no password and is for this machine alone, so origins may name no other host, got ${elsewhere}: give authenticate in its place`,
    )
  if (given !== undefined && signIn !== 'dev')
    throw new OptionError("createHost: startToken belongs to signIn: 'dev', which this host does not have")
  return signIn === 'dev' ? (given ?? randomBytes(RANDOM_BYTES).toString('base64url')) : null
}

/** How long a client may take from the proof of the host to its own. */
const PROOF_MS = 30_000
const PROOF = /^Svc-Start ([\w-]{22,128})\.((\d{1,15})-[\w-]{43})\.([\w-]{43})$/

/** Opens the start token of a host; a host without the development sign-in has none and lets nobody in by it. */
export function openStartToken(
  { startToken, basePath }: Pick<Settings, 'startToken' | 'basePath'>,
  clock: Pick<Clock, 'now'>,
  ttlMs: number,
) {
  const isIt = (text: string | undefined) =>
    startToken !== null && text !== undefined && timingSafeEqual(digest(text), digest(startToken))
  /** The nonces of proofs that were shown, each as long as it could be shown again. */
  const shown = new Map<string, number>()
  const nonceAt = (token: string, at: number, theirs: string) =>
    `${at}-${startProof(token, 'nonce', [theirs, String(at)])}`

  /** Whether a request shows a proof that was made for this user, this host and just now, and was not shown before. */
  function isProof(head: Head, user: string): boolean {
    const [, theirs = '', nonce = '', at, proof = ''] = PROOF.exec(head.get('authorization') ?? '') ?? []
    const now = clock.now()
    for (const [one, until] of shown) if (until < now) shown.delete(one)
    if (startToken === null || at === undefined || Math.abs(now - Number(at)) > PROOF_MS) return false
    const said = [theirs, nonce, head.get('host') ?? '', user]
    const isRight =
      isSameText(nonce, nonceAt(startToken, Number(at), theirs)) &&
      isSameText(proof, startProof(startToken, 'client', said))
    if (!isRight || shown.has(nonce)) return false
    shown.set(nonce, now + PROOF_MS)
    return true
  }

  return {
    /** `null` when the request shows the token, as Bearer or by the cookie that it was traded for; else the refusal. */
    judge(head: Head) {
      if (!isHere(`http://${head.get('host')}`) || !isHere(head.get('origin') ?? 'http://localhost'))
        return notHere()
      const bearer = /^Bearer (\S+)$/.exec(head.get('authorization') ?? '')?.[1]
      const cookie = cookieOf(head.get('cookie'), cookieAt(START_COOKIE, head.get('host')))
      return isIt(bearer) || isIt(cookie) ? null : notShown()
    },
    /**
     * The same of a sign-in, which may show a proof in place of the token. `port` is where the request came in: who
     * passes on what was meant for another port has no proof.
     */
    judgeSignIn(head: Head, user: string, port: number | undefined) {
      const refused = this.judge(head)
      return refused && isOfPort(head, port) && isProof(head, user) ? null : refused
    },
    /** Proves to a client that this host has the token: signs the nonce that it sent. */
    prove(head: Head, theirs: string) {
      if (startToken === null) throw notShown()
      const nonce = nonceAt(startToken, clock.now(), theirs)
      return { nonce, proof: startProof(startToken, 'host', [theirs, nonce, head.get('host') ?? '']) }
    },
    /** The cookie that a token is traded for; `null` for any other text. */
    cookieFor: (token: string, head: Head) =>
      isIt(token)
        ? `${cookieAt(START_COOKIE, head.get('host'))}=${token}; Max-Age=${Math.floor(ttlMs / 1_000)}; HttpOnly; SameSite=Strict; Path=${basePath || '/'}`
        : null,
  }
}

/** Whether `Host` names the port that a request came in at; a server that embeds a host does not say it. */
const isOfPort = (head: Head, port: number | undefined): boolean =>
  port === undefined || Number(/:(\d{1,5})$/.exec(head.get('host') ?? '')?.[1] ?? 80) === port

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

const isHere = (url: string): boolean => URL.canParse(url) && isThisMachine(new URL(url).hostname)

const notHere = () =>
  refuse('permission_denied', 'the development sign-in is for pages of this machine alone', {
    denied_by: 'start_token',
    hint: 'Open the URL that the host printed in its terminal, or give createHost an authenticate.',
  })

/** Of one length, so that neither length nor first difference shows in the time. */
const digest = (text: string) => createHash('sha256').update(text).digest()
