import type { ManifestInput, RpcResponse } from '@svc/contract'
import { createHost, type Host, type HostOptions } from '@svc/host'
import { pino } from 'pino'

/** What a test host starts with: one app of one user, installed. */
export interface TestHostOptions extends HostOptions {
  readonly manifest?: Partial<ManifestInput> & { readonly host_api?: ManifestInput['ui']['host_api'] }
  readonly grants?: unknown
  readonly files?: Readonly<Record<string, string>>
  readonly user?: string
  /** What makes the host. Default: `createHost`. */
  readonly make?: (options: HostOptions) => Host
}

/** An opened window of a test host, and calls in its name over the web front. */
export interface TestWindow {
  readonly windowUuid: string
  readonly token: string
  readonly cookie: string
  /** One call as a bundle makes it; returns the envelope. */
  call(ns: string, method: string, args?: unknown): Promise<RpcResponse>
  /** The status and parsed body for any body and headers over the right ones. */
  post(
    body: string | Uint8Array | ReadableStream<Uint8Array>,
    headers?: Record<string, string | null>,
  ): Promise<{ status: number; body: unknown; text: string }>
}

/** A host in this process, reached through `fetch` alone. */
export interface TestHost {
  readonly host: Host
  readonly origin: string
  readonly appId: string
  /** Signs a user in by the development sign-in; returns the cookie. */
  signIn(user: string): Promise<string>
  /** A request to a route with the cookie and origin of a page. */
  request(path: string, init?: RequestInit & { readonly cookie?: string }): Promise<Response>
  /** Opens a window of the app, or of another one that the cookie's user has. */
  openWindow(view?: string, payload?: unknown, cookie?: string, appId?: string): Promise<TestWindow>
  pushDraft(manifest: TestHostOptions['manifest'], files?: Readonly<Record<string, string>>): Promise<void>
  close(): Promise<void>
}

const ORIGIN = 'http://127.0.0.1:8787'
const RPC = '/api/v1/svc-apps/runtime/rpc'

/** The manifest of a test app: one view, and what the test gives besides. */
export function testManifest({
  host_api,
  ...rest
}: NonNullable<TestHostOptions['manifest']> = {}): ManifestInput {
  return {
    schema: 3,
    name: 'Test app',
    ui: {
      bundle: { entry: 'index.html' },
      views: [
        {
          name: 'main',
          default: true,
          title: 'Main',
          w: 400,
          h: 300,
          min_w: 200,
          min_h: 150,
          max_w: 800,
          max_h: 600,
        },
        { name: 'second', title: 'Second' },
      ],
      ...(host_api && { host_api }),
    },
    ...rest,
  }
}

/** An envelope, and not the lines of an array body or something else. */
const oneLine = (text: string) => text.startsWith('{') && !text.includes('\n')

/** The cookie of a sign-in, as a browser would have it of the same host at another port. */
export const atPort = (cookie: string, { port }: { readonly port: number | string }): string =>
  cookie.replace(/^(svc_\w+?)_\d+=/, `$1_${port}=`)

/** Starts a host in the harness with one installed app. Close it. */
export async function openTestHost(options: TestHostOptions = {}): Promise<TestHost> {
  const {
    manifest,
    grants = {},
    files = { 'index.html': '<!doctype html>' },
    user = 'ada',
    make = createHost,
    ...rest
  } = options
  const host = make({ harness: true, runner: null, logger: pino({ level: 'silent' }), ...rest })
  const request: TestHost['request'] = (path, { cookie = '', ...init } = {}) =>
    host.fetch(
      new Request(ORIGIN + path, {
        ...init,
        headers: {
          host: '127.0.0.1:8787',
          origin: ORIGIN,
          cookie,
          'content-type': 'application/json',
          ...init.headers,
        },
      }),
    )
  const signIn = async (name: string) => {
    const response = await request('/api/v1/auth/dev-login', {
      method: 'POST',
      body: JSON.stringify({ user: name }),
      headers: { authorization: `Bearer ${host.startToken}` },
    })
    if (!response.ok) throw new Error(await response.text())
    return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  }
  const owner = await signIn(user)
  const post = async <T>(path: string, body: unknown, cookie = owner, method = 'POST'): Promise<T> => {
    const response = await request(path, { method, body: JSON.stringify(body), cookie })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return (await response.json()) as T
  }
  const { app_id: appId } = await post<{ app_id: string }>('/api/v1/svc-apps/apps', {
    slug: 'test-app',
    name: 'Test app',
  })
  const pushDraft: TestHost['pushDraft'] = async (next, nextFiles = files) => {
    const encoded = Object.entries(nextFiles).map(([path, text]) => [
      path,
      Buffer.from(text).toString('base64'),
    ])
    await post(
      `/api/v1/svc-apps/apps/${appId}/draft`,
      { manifest: testManifest(next), files: Object.fromEntries(encoded) },
      owner,
      'PUT',
    )
  }
  await pushDraft(manifest)
  await post('/api/v1/svc-apps/installs', { app_id: appId, version: '0.0.0-draft', grants })

  return {
    host,
    origin: ORIGIN,
    appId,
    signIn,
    request,
    pushDraft,
    async openWindow(view, payload, cookie = owner, app_id = appId) {
      const opened = await post<{ window_uuid: string; token: string }>(
        '/api/v1/svc-apps/windows',
        { app_id, ...(view !== undefined && { view }), ...(payload !== undefined && { payload }) },
        cookie,
      )
      const window: TestWindow = {
        windowUuid: opened.window_uuid,
        token: opened.token,
        cookie,
        async call(ns, method, args = {}) {
          const { body } = await window.post(
            JSON.stringify({ id: '1', window_uuid: opened.window_uuid, ns, method, args }),
          )
          return body as RpcResponse
        },
        async post(body, headers = {}) {
          const all = {
            'x-svc-app-token': opened.token,
            cookie,
            host: '127.0.0.1:8787',
            origin: ORIGIN,
            'content-type': 'application/json',
            ...headers,
          }
          const sent = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null)
          // The types of a page do not know what a stream needs.
          const init: RequestInit & { duplex: 'half' } = {
            method: 'POST',
            headers: sent,
            body: body as string,
            duplex: 'half',
          }
          const response = await host.fetch(new Request(ORIGIN + RPC, init))
          const text = await response.text()
          return { status: response.status, text, body: oneLine(text) ? JSON.parse(text) : text }
        },
      }
      return window
    },
    close: () => host.close(),
  }
}
