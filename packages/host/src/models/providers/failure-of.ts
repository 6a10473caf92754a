import { overlong } from './context/overlong.ts'
import { ModelFailure, type Reason } from './failure.ts'
import { connectionFix, refusalFix } from './fixes.ts'
import { fieldsOf, parsed } from './members.ts'
import { retryAfter } from './retry-after.ts'
import { serverErrorIn } from './server-error.ts'

/** HTTP statuses that do not simply mean "this host may not": everything from 500 on reads `broken`. */
const byStatus: ReadonlyMap<number, Reason> = new Map([
  [400, 'refused'],
  [413, 'refused'],
  [422, 'refused'],
  [408, 'busy'],
  [409, 'busy'],
  [425, 'busy'],
  [429, 'busy'],
])
const OK_BELOW = 300
const SERVER_ERRORS = 500

/** Codes of Node for a request that never left, or was never taken. */
const neverSent: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])
/** How the codes begin that Node has for a server whose certificate it does not trust, or that speaks no TLS. */
const UNTRUSTED = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$)/
/** Codes of Node for a connection that ended in the middle. */
const brokenOff: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET'])
/** How its codes begin for an answer that is not HTTP. */
const NOT_HTTP = /^HPE_/

/** Reads what an AI SDK model threw, or said in an `error` part. `now` is in Unix ms. */
export function failureOf(model: string, error: unknown, now = 0): ModelFailure {
  for (const one of causes(error)) if (one instanceof ModelFailure) return one
  // What a server says of itself inside a stream comes as it was sent: its fields are not those of an error of Node.
  if (!(error instanceof Error)) return refusal(model, { status: null, body: error }, now)
  const codes = causes(error).flatMap((one) => {
    const code = property(one, 'code')
    return typeof code === 'string' ? code : []
  })
  const address = addressOf(property(error, 'url'))
  const broke = (reason: Reason, cause?: string, more = {}) =>
    new ModelFailure(model, reason, more, 'nothing', { address, cause, fix: cause && connectionFix(cause) })
  const untrusted = codes.find((code) => UNTRUSTED.test(code))
  if (untrusted) return broke('unreachable', untrusted, { retriable: false })
  const unsent = codes.find((code) => neverSent.has(code))
  if (unsent) return broke('unreachable', unsent)
  const strange = codes.find((code) => NOT_HTTP.test(code))
  if (strange) return broke('malformed', strange)
  const status = property(error, 'statusCode')
  if (typeof status === 'number' && status >= OK_BELOW)
    return refusal(model, refusedBy(error, status, address), now)
  const cut = codes.find((code) => brokenOff.has(code))
  const isOfFetch = property(error, 'name') === 'TypeError' || isUnanswered(error)
  return cut || isOfFetch ? broke('cut', cut) : broke('malformed')
}

/** Statuses that are about who asks, whatever a server says with them. */
const ofCaller: ReadonlySet<number | null> = new Set([401, 402, 403])

/** A request that a server refused. */
interface RefusedRequest {
  /** `null`: it said so inside of an answer. */
  readonly status: number | null
  readonly body: unknown
  readonly headers?: Readonly<Record<string, unknown>>
  readonly address?: string | undefined
  readonly said?: string | undefined
}

function refusedBy(error: Error, status: number, address: string | undefined): RefusedRequest {
  const said = property(property(error, 'data'), 'said')
  const isInside = property(property(error, 'data'), 'isInside') === true
  return {
    status: isInside ? null : status,
    body: property(error, 'responseBody'),
    headers: fieldsOf(property(error, 'responseHeaders')),
    address,
    said: typeof said === 'string' && said !== '' ? said : undefined,
  }
}

function refusal(model: string, { status, body, headers = {}, address, said }: RefusedRequest, now: number) {
  const isText = typeof body === 'string'
  const told = serverErrorIn(isText ? parsed(body) : body, status === null)
  const meant = told?.status ?? status ?? SERVER_ERRORS
  const long = ofCaller.has(status) ? null : overlong(status, isText ? body : JSON.stringify(body ?? ''))
  const reason = long ? 'too_long' : (byStatus.get(meant) ?? (meant >= SERVER_ERRORS ? 'broken' : 'closed'))
  const wait =
    retryAfter((name) => textAt(headers, name) ?? told?.headers[name], now) ?? told?.retryAfterMs ?? null
  const mayWait = wait !== null && (reason === 'busy' || reason === 'broken')
  const details = {
    ...(status !== null && { status }),
    ...(told?.code && { provider_code: told.code }),
    ...(long?.limit && { max: long.limit }),
    ...(long?.asked && { used: long.asked }),
    ...(mayWait && { retry_after_ms: wait, hint: `Try again in ${Math.ceil(wait / SECOND_MS)} s.` }),
    ...(told?.isFilter && { stop_reason: 'content_filter', hint: FILTERED }),
  }
  const words = told?.words || (isText ? body : '')
  const fix = refusalFix(meant, { model, words })
  return new ModelFailure(model, reason, details, 'nothing', { address, said, fix })
}

const SECOND_MS = 1_000
const FILTERED = 'The content filter of the model stopped this: ask in other words.'

const textAt = (headers: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

/** A URL as the log may have it: without a user, and with the names of its query alone, for their values may be keys. */
export function addressOf(url: unknown): string | undefined {
  const read = typeof url === 'string' ? URL.parse(url) : null
  if (!read) return undefined
  const names = [...read.searchParams.keys()].map((name) => `${name}=…`)
  return `${read.origin}${read.pathname}${names.length > 0 ? `?${names.join('&')}` : ''}`
}

/** What the AI SDK makes of a request that failed before it had a status. */
const isUnanswered = (error: unknown): boolean =>
  property(error, 'name') === 'AI_APICallError' && property(error, 'statusCode') === undefined

const MAX_CAUSES = 8

/** An error and what caused it, outermost first. */
function causes(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (let one = error; one != null && chain.length < MAX_CAUSES; one = property(one, 'cause'))
    chain.push(one)
  return chain
}

const property = (value: unknown, name: string): unknown => fieldsOf(value)[name]
