import type { RpcResponse } from '@svc/contract'
import { atPort, testManifest } from '../host.ts'
import { START_TOKEN } from './cluster-host.ts'
import type { HostPlace } from './some-hosts.ts'

/** What a page of a user asks: each request goes to any host that is up, as a balancer has it. */
export interface ClusterPage {
  readonly cookie: string
  readonly window: { readonly window_uuid: string; readonly token: string }
  readonly session: string
  /** Calls as the app does. Throws `Cut` where the connection broke, and else what the host refused. */
  call<Result>(ns: string, method: string, args: object): Promise<Result>
}

/** The connection broke: the call was carried out, or not. */
export class Cut extends Error {}

/** A call that a host refused. */
export class Refused extends Error {
  readonly code: string
  /** Who or what refused it, where the host says so. */
  readonly by: unknown
  constructor(code: string, message: string, by?: unknown) {
    super(`${code}: ${message}`)
    this.code = code
    this.by = by
  }
}

const manifest = {
  ...testManifest({
    required_plugs: ['starts'],
    host_api: { agent: { session: { auto: true } }, storage: ['*'], upload: ['*'] },
  }),
  name: 'Works',
}

/** Opens pages of several users. `pick` chooses a host for each request. */
export function openPages(pick: () => HostPlace) {
  async function request(route: string, init: RequestInit): Promise<Response> {
    const { port } = pick()
    const origin = `http://127.0.0.1:${port}`
    const headers = new Headers({ origin, 'content-type': 'application/json' })
    for (const [name, value] of new Headers(init.headers))
      headers.set(name, name === 'cookie' ? atPort(value, { port }) : value)
    try {
      const response = await fetch(new URL(route, origin), { ...init, headers })
      const text = await response.text()
      return new Response(text, response)
    } catch (cause) {
      throw new Cut(String(cause), { cause })
    }
  }
  async function send<Answer>(method: string, route: string, body: unknown, cookie = ''): Promise<Answer> {
    const response = await request(route, { method, body: JSON.stringify(body), headers: { cookie } })
    if (!response.ok) throw new Error(`${route}: ${await response.text()}`)
    return (await response.json()) as Answer
  }

  return {
    /** A user with the app, whom every host knows. */
    async user(name: string) {
      const signedIn = await request('/api/v1/auth/dev-login', {
        method: 'POST',
        body: JSON.stringify({ user: name }),
        headers: { authorization: `Bearer ${START_TOKEN}` },
      })
      if (!signedIn.ok) throw new Error(await signedIn.text())
      const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
      const app = await send<{ app_id: string }>(
        'POST',
        '/api/v1/svc-apps/apps',
        { slug: `app-${name}`, name },
        cookie,
      )
      const { app_id } = app
      const files = { 'index.html': Buffer.from('<!doctype html><p>Works').toString('base64') }
      await send('PUT', `/api/v1/svc-apps/apps/${app_id}/draft`, { manifest, files }, cookie)
      const install = { app_id, version: '0.0.0-draft', grants: { upload_grant: true } }
      await send('POST', '/api/v1/svc-apps/installs', install, cookie)
      return { app_id, cookie }
    },
    /** A page of a user, with one window and one session. */
    async page({
      app_id,
      cookie,
    }: {
      readonly app_id: string
      readonly cookie: string
    }): Promise<ClusterPage> {
      const window = await send<ClusterPage['window']>('POST', '/api/v1/svc-apps/windows', { app_id }, cookie)
      async function call<Result>(ns: string, method: string, args: object): Promise<Result> {
        const response = await request('/api/v1/svc-apps/runtime/rpc', {
          method: 'POST',
          body: JSON.stringify({ id: '1', window_uuid: window.window_uuid, ns, method, args }),
          headers: { cookie, 'x-svc-app-token': window.token },
        })
        const answer = (await response.json()) as RpcResponse
        if (!answer.ok) {
          const { code, message, details } = answer.error
          throw new Refused(code, `${ns}.${method}: ${message}`, details?.by)
        }
        return answer.result as Result
      }
      const made = await call<{ app_session_uuid: string }>('agent', 'session.create', { submode: 'auto' })
      return { cookie, window, session: made.app_session_uuid, call }
    },
  }
}
