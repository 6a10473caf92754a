import { verifies } from '@svc/conformance/verifies'
import { cookieAt, errorRow, SIGN_IN_COOKIE } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { memoryStore } from '@svc/state'
import { pino } from 'pino'
import { afterEach, expect } from 'vitest'
import { createHost, type Host, type HostOptions } from '../../index.ts'
import { filesOf, testManifest } from '../../testing/services.ts'

const SECRET = 'the secret cause'
const RPC = '/api/v1/svc-apps/runtime/rpc'
const EVENTS = '/api/v1/svc-apps/runtime/events'
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const ways = {
  /** The operator's own sign-in throws. */
  authenticate(fail: () => void): HostOptions {
    const authenticate = () => {
      fail()
      return { id: 'ada' }
    }
    return { authenticate }
  },
  /** The store cannot be read. */
  store(fail: () => void): HostOptions {
    const store = memoryStore()
    closers.push(() => store.close())
    const failing: typeof store = {
      ...store,
      async get(collection, id) {
        if (collection.name === 'users') fail()
        return await store.get(collection, id)
      },
    }
    return { store: failing, secret: 's'.repeat(32), authenticate: () => ({ id: 'ada' }) }
  },
}

/** A host that fails once armed, with a window of ada's. */
async function failingHost(way: keyof typeof ways) {
  let armed = false
  const logged: string[] = []
  const clock = frozenClock()
  const host: Host = createHost({
    runner: null,
    clock,
    logger: pino({ level: 'error' }, { write: (line: string) => void logged.push(line) }),
    ...ways[way](() => {
      if (armed) throw new TypeError(SECRET)
    }),
  })
  closers.push(() => host.close())
  await host.users.ensure('ada')
  const { app_id } = await host.apps.register('ada', { slug: 'notes', name: 'Notes' })
  await host.apps.pushDraft('ada', app_id, { manifest: testManifest(), files: filesOf({ 'index.html': '' }) })
  await host.apps.install('ada', { app_id, version: '0.0.0-draft' })
  const window = await host.windows.open('ada', { app_id })
  const { url } = await host.listen(0)
  // What the process remembers of the user is too old from here on.
  await clock.advance(2_000)
  armed = true
  const body = JSON.stringify({
    id: '1',
    window_uuid: window.window_uuid,
    ns: 'window',
    method: 'heartbeat',
    args: {},
  })
  const headers = { 'x-svc-app-token': window.token, 'content-type': 'application/json', origin: url }
  const requests = {
    rpc: () => new Request(url + RPC, { method: 'POST', headers, body }),
    events: () =>
      new Request(url + EVENTS, { headers: { cookie: `${cookieAt(SIGN_IN_COOKIE, new URL(url).host)}=x` } }),
  }
  return { host, logged, requests }
}

const cases = (['authenticate', 'store'] as const).flatMap((way) =>
  (['rpc', 'events'] as const).flatMap((route) =>
    (['listen', 'fetch'] as const).map((front) => [way, route, front] as const),
  ),
)

verifies.each(['error.internal_error', 'design.internal_error'])(cases)(
  'what %s throws at the gateway of %s is an answer over %s, and told to the log alone',
  async (way, route, front) => {
    const { host, logged, requests } = await failingHost(way)
    const request = requests[route]()
    const response = front === 'listen' ? await fetch(request) : await host.fetch(request)
    const error = { code: 'internal_error', message: errorRow('internal_error').sentence }
    expect([response.status, await response.json()]).toEqual([
      500,
      route === 'rpc' ? { id: '', ok: false, error } : { error },
    ])
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain(SECRET)
  },
)
