import { TEST_START_TOKEN } from '@svc/conformance/start-token'
import type { RpcResponse } from '@svc/contract'

/** A user of a host over HTTP, with a window. */
export interface HttpUser {
  readonly cookie: string
  readonly windowUuid: string
  /** Asks a route as the page does. */
  ask(path: string, init?: RequestInit): Promise<Response>
  /** Takes a fresh token for the window: each lives for two minutes. */
  renew(): Promise<void>
  /** A call as a bundle makes it; returns the envelope. */
  call(ns: string, method: string, args?: object): Promise<RpcResponse>
  /** The result of a call; throws where it was refused. */
  result<Result>(ns: string, method: string, args?: object): Promise<Result>
}

/** Signs in, and opens a window of the first app. */
export async function openHttpUser(url: string, user: string): Promise<HttpUser> {
  const headers = { origin: url, 'content-type': 'application/json' }
  const signedIn = await fetch(`${url}/api/v1/auth/dev-login`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${TEST_START_TOKEN}` },
    body: JSON.stringify({ user }),
  })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(url + path, { ...init, headers: { ...headers, cookie, ...init.headers } })
  const { installs } = (await (await ask('/api/v1/svc-apps/installs')).json()) as {
    installs: readonly { app_id: string }[]
  }
  const opened = await ask('/api/v1/svc-apps/windows', {
    method: 'POST',
    body: JSON.stringify({ app_id: installs[0]?.app_id }),
  })
  const { window_uuid, ...made } = (await opened.json()) as { window_uuid: string; token: string }
  let { token } = made

  async function call(ns: string, method: string, args: object = {}): Promise<RpcResponse> {
    const response = await ask('/api/v1/svc-apps/runtime/rpc', {
      method: 'POST',
      headers: { 'x-svc-app-token': token },
      body: JSON.stringify({ id: '1', window_uuid, ns, method, args }),
    })
    return (await response.json()) as RpcResponse
  }
  return {
    cookie,
    windowUuid: window_uuid,
    ask,
    async renew() {
      const fresh = await ask(`/api/v1/svc-apps/windows/${window_uuid}/token`, { method: 'POST', body: '{}' })
      ;({ token } = (await fresh.json()) as { token: string })
    },
    call,
    async result<Result>(ns: string, method: string, args?: object) {
      const answer = await call(ns, method, args)
      if (!answer.ok) throw new Error(`${ns}.${method}: ${answer.error.code} ${answer.error.message}`)
      return answer.result as Result
    },
  }
}
