import { once } from 'node:events'
import { CALL_SOCKET_PROTOCOL } from '@svc/contract/wire'
import { WebSocket } from '../lib/ws.ts'

/** A host that was started for a soak. */
export interface Target {
  readonly port: number
  readonly startToken: string
}

/** A user with a sign-in. */
export interface User {
  readonly name: string
  readonly cookie: string
  /** A request with the sign-in; throws where it is refused. */
  ask<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>
}

/** An open window of a user. */
export interface Window {
  readonly uuid: string
  /** Renewed while the window is open. */
  token: string
  readonly entry: string
  readonly user: User
  /** Calls by POST; throws where the call is refused. */
  call<T = Record<string, unknown>>(ns: string, method: string, args?: object): Promise<T>
}

/** A call socket of a user. */
export interface CallSocket {
  /** Calls in the name of a window; settles with the line that answers. */
  call(window: Window, ns: string, method: string, args?: object): Promise<string>
  /** Cuts it. */
  cut(): void
}

export const BASE = '/api/v1/svc-apps'
export const RPC = `${BASE}/runtime/rpc`

export const originOf = ({ port }: Target) => `http://127.0.0.1:${port}`

export const bytesOf = (text: string) => Buffer.from(text).toString('base64')

/** One call as a body. */
export const bodyOf = (uuid: string, ns: string, method: string, args: object = {}, id = '1') => ({
  id,
  window_uuid: uuid,
  ns,
  method,
  args,
})

/** A request to the host, whatever it answers. */
export function send(
  target: Target,
  method: string,
  path: string,
  {
    headers = {},
    body,
    signal,
  }: { headers?: Record<string, string>; body?: unknown; signal?: AbortSignal } = {},
): Promise<Response> {
  const origin = originOf(target)
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(new URL(path, origin), {
    method,
    headers: { origin, 'content-type': 'application/json', ...headers },
    ...(text !== undefined && { body: text }),
    ...(signal && { signal }),
  })
}

/** Signs a user in. */
export async function signIn(target: Target, name: string): Promise<User> {
  const signed = await send(target, 'POST', '/api/v1/auth/dev-login', {
    headers: { authorization: `Bearer ${target.startToken}` },
    body: { user: name },
  })
  const said = await signed.text()
  if (!signed.ok) throw new Error(`sign-in: ${said}`)
  const cookie = signed.headers.get('set-cookie')?.split(';')[0] ?? ''
  return {
    name,
    cookie,
    async ask<T>(method: string, path: string, body?: unknown) {
      const response = await send(target, method, path, { headers: { cookie }, body })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path.slice(0, 60)}: ${text.slice(0, 200)}`)
      return (text.startsWith('{') ? JSON.parse(text) : {}) as T
    },
  }
}

/** Opens a window of an app. */
export async function openWindow(target: Target, user: User, appId: string): Promise<Window> {
  const opened = await user.ask<{ window_uuid: string; token: string; entry_url: string }>(
    'POST',
    `${BASE}/windows`,
    { app_id: appId },
  )
  const { window_uuid: uuid, token, entry_url: entry } = opened
  const window: Window = {
    uuid,
    token,
    entry,
    user,
    async call<T>(ns: string, method: string, args: object = {}) {
      // The token is renewed meanwhile.
      const headers = { cookie: user.cookie, 'x-svc-app-token': window.token }
      const response = await send(target, 'POST', RPC, { headers, body: bodyOf(uuid, ns, method, args) })
      const answer = (await response.json()) as
        | { ok: true; result: T }
        | { ok: false; error: { code: string; message: string } }
      if (!answer.ok) throw new Error(`${ns}.${method}: ${answer.error.code}: ${answer.error.message}`)
      return answer.result
    },
  }
  return window
}

export const closeWindow = ({ user, uuid }: Window) => user.ask('DELETE', `${BASE}/windows/${uuid}`)

/** Opens a call socket. */
export async function openCallSocket(target: Target, { cookie }: User): Promise<CallSocket> {
  const url = `ws://127.0.0.1:${target.port}${BASE}/runtime/calls`
  const socket = new WebSocket(url, [CALL_SOCKET_PROTOCOL], {
    headers: { cookie, origin: originOf(target) },
  })
  const waiting = new Map<string, (line: string) => void>()
  const stop = () => {
    for (const answer of waiting.values()) answer('closed')
    waiting.clear()
  }
  let count = 0
  socket.on('message', (data: unknown) => {
    for (const line of String(data).split('\n')) {
      const [n = ''] = line.split(' ', 1)
      waiting.get(n)?.(line)
      waiting.delete(n)
    }
  })
  socket.on('close', stop)
  socket.on('error', () => {})
  await Promise.race([once(socket, 'open'), once(socket, 'close')])
  return {
    call: ({ uuid, token }, ns, method, args) =>
      new Promise((resolve) => {
        const n = String(++count)
        waiting.set(n, resolve)
        socket.send(`${n} ${token}\n${JSON.stringify(bodyOf(uuid, ns, method, args))}`)
      }),
    cut: () => socket.terminate(),
  }
}
