import { limits } from '@svc/contract'
import {
  type RouteAnswer,
  type RouteCall,
  type RouteInputs,
  type RouteKey,
  routeCall,
} from '@svc/contract/route-client'
import { type Failure, failure } from '../terminal/failure.ts'
import type { HostUrl } from './host-url.ts'

/** Requests to a host in the name of one user. */
export interface HostClient {
  /** Where it is, as errors name it. */
  readonly base: string
  /** Asks a route. Errors: `host` with the code of the refusal, `unreachable`. */
  ask<Key extends RouteKey>(key: Key, ...input: RouteInputs<Key>): Promise<RouteAnswer<Key>>
  /** Asks a route for bytes. Errors: those of `ask`, also where the bytes are cut off, too many or of another type. */
  download<Key extends RouteKey>(
    key: Key,
    options: DownloadOptions,
    ...input: RouteInputs<Key>
  ): Promise<Buffer>
}

/** What is downloaded, and how much of it is taken. */
export interface DownloadOptions {
  /** The media type that it must have. */
  readonly type: string
  readonly maxBytes: number
  /** Ends the download. */
  readonly signal: AbortSignal
}

/** What to do about a refusal, where the host itself has no hint. */
const hints: ReadonlyMap<string, string> = new Map([
  ['invalid_token', 'Sign in: --user on a host for development, else SVC_COOKIE or --cookie-file.'],
  ['agent_unavailable', 'Connect a machine with svc runner, then try again.'],
  ['rate_limited', 'Wait a moment, then try again.'],
  ['internal_error', 'The log of the host says more.'],
])

/** Sends a request to a host. Errors: `unreachable`. */
export async function send(
  { origin, base }: HostUrl,
  { method, path, body }: RouteCall,
  headers: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Response> {
  const late = AbortSignal.timeout(limits.HTTP_REQUEST_MS)
  try {
    return await fetch(base + path, {
      method,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([late, signal]) : late,
      headers: { ...headers, origin, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  } catch (error) {
    throw unreachable(base, error)
  }
}

/** Speaks to a host with the Cookie header that `signIn` gave. */
export function openClient(url: HostUrl, cookie: string): HostClient {
  return {
    base: url.base,
    async ask<Key extends RouteKey>(key: Key, ...input: RouteInputs<Key>) {
      const response = await send(url, routeCall(key, ...input), { cookie })
      return (await bodyOf(response, url.base)) as RouteAnswer<Key>
    },
    async download<Key extends RouteKey>(key: Key, options: DownloadOptions, ...input: RouteInputs<Key>) {
      return readDownload(
        await send(url, routeCall(key, ...input), { cookie }, options.signal),
        url.base,
        options,
      )
    },
  }
}

async function readDownload(
  response: Response,
  base: string,
  { type, maxBytes }: DownloadOptions,
): Promise<Buffer> {
  if (response.headers.get('content-type') !== type || !response.ok) {
    await bodyOf(response, base)
    throw failure('unreachable', `${base} did not send ${type}`)
  }
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > maxBytes) break
      chunks.push(chunk)
    }
  } catch (error) {
    throw failure(
      'unreachable',
      `${base} cut the download off: ${error instanceof Error ? error.message : String(error)}`,
      'It may have been deleted or replaced meanwhile. Try again.',
    )
  }
  if (size > maxBytes) throw failure('failed', `${base} sent more than ${maxBytes} bytes`)
  return Buffer.concat(chunks)
}

/** The JSON of an answer. Errors: `host` where it is a refusal, `unreachable` if it is not from a host. */
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
  const ownHint = details && 'hint' in details && typeof details.hint === 'string' ? details.hint : undefined
  return failure('host', String(error.message).replace(/\.$/, ''), ownHint ?? hints.get(code), code)
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
      ? 'Use the port that the host printed when it started, such as 8787.'
      : 'Does the host run? svc dev starts one here.',
  )
}
