import { limits } from '@svc/contract'
import { type Failure, failure } from '../failure.ts'
import type { HostUrl } from './host-url.ts'

/** Requests to a host in the name of one user. */
export interface HostClient {
  /** Where it is, as errors name it. */
  readonly base: string
  /** Reads a route. Errors: `host`, `unreachable`. */
  get<Body>(path: string): Promise<Body>
  /** Sends JSON to a route. Errors: `host` with the code of the refusal, `unreachable`. */
  send<Body>(method: 'POST' | 'PUT' | 'PATCH', path: string, body: unknown): Promise<Body>
}

/** What to do about a refusal, where the host itself has no hint. */
const hints: ReadonlyMap<string, string> = new Map([
  ['invalid_token', 'Sign in: --user on a host for development, else SVC_COOKIE or --cookie-file.'],
  ['agent_unavailable', 'Connect a machine with svc runner, then try again.'],
  ['rate_limited', 'Wait a moment, then try again.'],
  ['internal_error', 'The log of the host says more.'],
])

/** A request as `fetch` takes it, but for what is the same in all of them. */
export async function ask({ origin, base }: HostUrl, path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(base + path, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(limits.HTTP_REQUEST_MS),
      headers: { ...init.headers, origin },
    })
  } catch (error) {
    throw unreachable(base, error)
  }
}

/** Speaks to a host with the Cookie header that `signIn` gave. */
export function openClient(url: HostUrl, cookie: string): HostClient {
  const request = async <Body>(path: string, init: RequestInit): Promise<Body> => {
    const response = await ask(url, path, { ...init, headers: { ...init.headers, cookie } })
    return (await bodyOf(response, url.base)) as Body
  }
  return {
    base: url.base,
    get: (path) => request(path, {}),
    send: (method, path, body) =>
      request(path, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  }
}

/** The JSON of an answer. Errors: `host` where it is a refusal, `unreachable` where it is none of a host. */
export async function bodyOf(response: Response, base: string): Promise<unknown> {
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok && body !== undefined) return body
  const refusal = refusalOf(body)
  if (refusal) return Promise.reject(refusal)
  throw failure(
    'unreachable',
    `${base} answered ${response.status} and no JSON that a host would send`,
    'Is it the address of a host, and of the host itself?',
  )
}

function refusalOf(body: unknown): Failure | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null
  const { error } = body
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error)) return null
  const code = String(error.code)
  const details = 'details' in error && typeof error.details === 'object' ? error.details : null
  const told = details && 'hint' in details && typeof details.hint === 'string' ? details.hint : undefined
  return failure('host', String(error.message).replace(/\.$/, ''), told ?? hints.get(code), code)
}

/** What Node calls the reasons why nothing answers. */
const reasons: ReadonlyMap<unknown, string> = new Map([
  ['ECONNREFUSED', 'nothing listens there'],
  ['ENOTFOUND', 'there is no such name'],
  ['ECONNRESET', 'the connection was cut'],
  ['ETIMEDOUT', 'the connection was not answered'],
])

function unreachable(base: string, error: unknown): Failure {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  const late = error instanceof DOMException && error.name === 'TimeoutError'
  const isBadPort = cause instanceof Error && cause.message === 'bad port'
  const why = late
    ? `it did not answer within ${limits.HTTP_REQUEST_MS} ms`
    : isBadPort
      ? `port ${URL.parse(base)?.port} belongs to another protocol, and nothing is fetched from it`
      : (reasons.get(code) ?? (cause instanceof Error ? cause.message : String(cause)))
  return failure(
    'unreachable',
    `${base} could not be reached: ${why}`,
    isBadPort
      ? 'Take the port that the host printed at its start, such as 8787.'
      : 'Does the host run? svc dev starts one here.',
  )
}
