import { createHost } from '@svc/host'
import { type Cluster, openCluster } from '@svc/state-cluster'
import { type Folder, openFolder } from '@svc/state-sqlite'
import { serveFigures } from '../lib/server.ts'

/** One token serves the whole run, which takes minutes on a slow machine. */
const HOUR_MS = 3_600_000

/** One user makes as many calls here as a host can answer. */
const ENDLESS = 1_000_000_000

/** Where the state is kept: a folder, or the URLs of PostgreSQL and Redis; without them, in memory. */
const [, , place, redis] = process.argv
const state = await openState()

/** The real host with one app of one user and one window, listening. */
const host = createHost({
  harness: true,
  ...state,
  runner: null,
  limits: { WINDOW_TOKEN_TTL_MS: HOUR_MS, RATE_CALL_PER_SECOND: ENDLESS, RATE_CALL_BURST: ENDLESS },
})
const { url, port } = await host.listen(0)

async function post<T>(
  path: string,
  body: unknown,
  cookie = '',
  method = 'POST',
): Promise<{ json: T; cookie: string }> {
  const response = await fetch(url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      origin: url,
      cookie,
      authorization: `Bearer ${host.startToken}`,
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
  return {
    json: (await response.json()) as T,
    cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '',
  }
}

const { cookie } = await post('/api/v1/auth/dev-login', { user: 'ada' })
const { json: app } = await post<{ app_id: string }>(
  '/api/v1/svc-apps/apps',
  { slug: 'bench', name: 'Bench' },
  cookie,
)
const manifest = {
  schema: 3,
  name: 'Bench',
  ui: {
    bundle: { entry: 'index.html' },
    views: [{ name: 'main' }],
    host_api: { storage: ['get', 'set'] },
  },
}
const files = { 'index.html': Buffer.from('<!doctype html>').toString('base64') }
await post(`/api/v1/svc-apps/apps/${app.app_id}/draft`, { manifest, files }, cookie, 'PUT')
await post('/api/v1/svc-apps/installs', { app_id: app.app_id, version: '0.0.0-draft', grants: {} }, cookie)
const { json: window } = await post<{ window_uuid: string; token: string }>(
  '/api/v1/svc-apps/windows',
  { app_id: app.app_id },
  cookie,
)
serveFigures({
  port,
  token: window.token,
  cookie: cookie.slice(cookie.indexOf('=') + 1),
  window: window.window_uuid,
  pid: process.pid,
})

async function openState() {
  if (place === undefined) return {}
  return portsOf(
    redis === undefined ? await openFolder(place) : await openCluster({ postgres: place, redis }),
  )
}

function portsOf({ store, bus, blobs, secret }: Folder | Cluster) {
  return { store, bus, blobs, secret }
}
