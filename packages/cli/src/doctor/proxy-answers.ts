import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { HostUrl } from '../host/host-url.ts'

const ANSWER_MS = 10_000

/** What came back: a refusal of the host has its code; what a proxy said itself has none. */
export interface ProxyAnswer {
  readonly status: number
  readonly location: string | null
  readonly code: string | null
  readonly deniedBy: string | null
  readonly message: string
}

/** Sends a request as a page does; null where no answer came. */
export async function answerOf(
  { base, origin }: HostUrl,
  path: string,
  init: RequestInit = {},
): Promise<ProxyAnswer | null> {
  try {
    const response = await fetch(base + path, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
      headers: { origin, 'content-type': 'application/json', ...init.headers },
    })
    return readAnswer(response.status, response.headers.get('location'), await response.text())
  } catch {
    return null
  }
}

function readAnswer(status: number, location: string | null, text: string): ProxyAnswer {
  const { error } = objectOf(text) as {
    error?: { code?: unknown; message?: unknown; details?: { denied_by?: unknown } }
  }
  const word = (value: unknown) => (typeof value === 'string' ? value : null)
  return {
    status,
    location,
    code: word(error?.code),
    deniedBy: word(error?.details?.denied_by),
    message: word(error?.message) ?? '',
  }
}

function objectOf(text: string): object {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Asks for an upgrade to WebSocket. `101`: it was made; null: no answer came. */
export function upgradeAnswer({ base, origin }: HostUrl, path: string): Promise<ProxyAnswer | null> {
  const { promise, resolve } = Promise.withResolvers<ProxyAnswer | null>()
  const ask = base.startsWith('https:') ? httpsRequest : httpRequest
  const headers = {
    origin,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  }
  const asked = ask(base + path, { headers, timeout: ANSWER_MS })
  asked.on('upgrade', (_, socket) => {
    socket.destroy()
    resolve({ status: 101, location: null, code: null, deniedBy: null, message: '' })
  })
  asked.on('response', async (response) => {
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) text += chunk as string
    resolve(readAnswer(response.statusCode ?? 0, null, text))
  })
  asked.on('timeout', () => asked.destroy())
  asked.on('error', () => resolve(null))
  asked.end()
  return promise
}

/** How long the first bytes of a stream took, in ms; null where none came within the time, or it was refused. */
export async function firstBytes(
  { base, origin }: HostUrl,
  path: string,
  cookie: string,
  withinMs: number,
): Promise<{ readonly status: number | null; readonly hasBegun: boolean }> {
  const given = new AbortController()
  const late = AbortSignal.any([given.signal, AbortSignal.timeout(withinMs)])
  let status: number | null = null
  try {
    const response = await fetch(base + path, {
      signal: late,
      redirect: 'manual',
      headers: { origin, cookie },
    })
    status = response.status
    const { value } = (await response.body?.getReader().read()) ?? {}
    return { status, hasBegun: value !== undefined && value.length > 0 }
  } catch {
    return { status, hasBegun: false }
  } finally {
    given.abort()
  }
}
