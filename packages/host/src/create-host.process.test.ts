import { openTestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { type ErrorCode, errorRow, idMaker } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { memoryStore } from '@svc/state'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { createHost } from './create-host.ts'
import { testRunner } from './testing/jobs-runner.ts'

const silent = pino({ level: 'silent' })
/** Ids that are the same in every run. */
const newId = idMaker((size) => new Uint8Array(size))

verifies.each(['error.internal_error', 'design.internal_error'])([
  ['a handler', 'chat', 'append_artifact', { artifact: { kind: 'text' } }],
  ['the store', 'storage', 'set', { key: 'k', value: 1 }],
])('what %s throws is told to the log alone', async (_name, ns, method, args) => {
  const logged: string[] = []
  const logger = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) })
  let armed = false
  const trap = () => {
    if (armed) throw new TypeError('the secret cause')
  }
  const store = memoryStore()
  const services = await openTestHost({
    logger,
    secret: 'a secret of more than thirty-two characters',
    storage: 'persistent',
    manifest: { host_api: { chat: ['*'], storage: ['*'] } },
    newId(kind) {
      trap()
      return idMaker((size) => crypto.getRandomValues(new Uint8Array(size)))(kind)
    },
    store: {
      ...store,
      async insert(...row) {
        trap()
        return await store.insert(...row)
      },
    },
  })
  const window = await services.openWindow()
  armed = true
  const { status, text } = await window.post(
    JSON.stringify({ id: '1', window_uuid: window.windowUuid, ns, method, args }),
  )
  armed = false
  expect([status, JSON.parse(text)]).toEqual([
    500,
    { id: '1', ok: false, error: { code: 'internal_error', message: errorRow('internal_error').sentence } },
  ])
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([
    { ns, method, err: { message: 'the secret cause', stack: expect.any(String) } },
  ])
  await services.close()
  await store.close()
})

verifies('rpc.status', 'the status of a failure is that of its code', async () => {
  const services = await openTestHost({
    limits: { WINDOW_STATE_MAX_BYTES: 64 },
    manifest: { host_api: { storage: ['*'], prefs: ['get'] } },
  })
  const window = await services.openWindow()
  const calls: [string, string, unknown, ErrorCode][] = [
    ['window', 'heartbeat', [], 'invalid_arg'],
    ['fs', 'read', {}, 'permission_denied'],
    ['prefs', 'get', {}, 'not_implemented'],
    ['storage', 'get', { key: 'k' }, 'not_found'],
    ['storage', 'set', { key: 'k', value: 1, if_match: 'x' }, 'precondition_failed'],
    ['storage', 'set', { key: 'k', value: 'x'.repeat(100) }, 'state_too_large'],
  ]
  for (const [ns, method, args, code] of calls) {
    const { status, body } = await window.post(
      JSON.stringify({ id: '1', window_uuid: window.windowUuid, ns, method, args }),
    )
    expect([(body as { error: { code: string } }).error.code, status]).toEqual([code, errorRow(code).status])
  }
  await services.close()
})

verifies('version.routes', 'the routes of apps, windows and calls lie under /api/v1', async () => {
  const services = await openTestHost()
  const cookie = await services.signIn('ada')
  for (const path of ['/svc-apps/installs', '/svc-apps/windows', '/svc-apps/runtime/events']) {
    const under = async (root: string) => {
      const leaving = new AbortController()
      const { status, body } = await services.request(root + path, { cookie, signal: leaving.signal })
      await body?.cancel()
      leaving.abort()
      return status
    }
    expect([path, await under('/api/v1'), await under(''), await under('/api/v2')]).toEqual([
      path,
      200,
      404,
      404,
    ])
  }
  await services.close()
})

verifies.each(['design.events.cookie'])([
  ['no cookie', ''],
  ['a cookie that is none', 'svc_signin_8787=x.y.z'],
])('%s opens no event stream', async (_name, cookie) => {
  const services = await openTestHost()
  const response = await services.request('/api/v1/svc-apps/runtime/events', { cookie })
  expect([response.status, await response.json()]).toMatchObject([401, { error: { code: 'invalid_token' } }])
  await services.close()
})

describe('listening', () => {
  verifies.each(['wall.dev_login.loopback'])([['0.0.0.0'], ['::'], ['10.0.0.1'], ['']])(
    'a host with the development sign-in refuses the address %j',
    async (address) => {
      const host = createHost({ harness: true, runner: null, logger: silent })
      await expect(host.listen(0, address)).rejects.toThrow(
        /listens on loopback only, got|address must be an address of this machine/,
      )
      await host.close()
    },
  )

  verifies(['host.close', 'host.clock'], 'a closed host has no timer and no port left', async () => {
    const clock = frozenClock()
    const host = createHost({ harness: true, runner: null, logger: silent, clock, newId })
    const { url } = await host.listen(0)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect(clock.timers).toBeGreaterThan(0)
    await Promise.all([host.close(), host.close()])
    expect(clock.timers).toBe(0)
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  })
})

test('an entry of allowLoopback that names no host of this machine is told', () => {
  const parts = { runner: null, logger: silent }
  expect(() => createHost({ ...parts, allowLoopback: ['10.0.0.1'] })).toThrow(
    'createHost: allowLoopback[0] must be a host of this machine such as img.test:8443, got "10.0.0.1"',
  )
})

test('a store that is for one host is refused to a second one until the first has closed', async () => {
  const store = { ...memoryStore(), isExclusive: true }
  const options = { store, runner: null, secret: 's'.repeat(32), logger: silent }
  const wrong = { ...options, plugins: [{ slug: 'no slug', command: ['node'] as const }] }
  expect(() => createHost(wrong)).toThrow(/slug/)
  const first = createHost(options)
  expect(() => createHost(options)).toThrow(
    'createHost: the store is for one host, and another host of this process uses it; close that host first',
  )
  await first.close()
  await createHost(options).close()

  const shared = { ...options, store: memoryStore() }
  const hosts = [createHost(shared), createHost(shared)]
  await Promise.all(hosts.map((host) => host.close()))
})

verifies(
  'data.hidden',
  'the folder of the store is hidden from plugins, and nothing of it is served',
  async () => {
    const hidden: string[] = []
    const store = { ...memoryStore(), dir: '/srv/site/svc-data' }
    const runner = { ...testRunner(), hide: (folder: string) => void hidden.push(folder) }
    const options = { store, runner, secret: 's'.repeat(32), logger: silent }
    const host = createHost({ ...options, apps: [{ dir: '/srv/site/app' }] })
    expect(hidden).toEqual(['/srv/site/svc-data'])
    expect(host.facts.state).toBe(
      'in the store that createHost was given; bus and blobs in memory: gone with the process',
    )
    await host.close()
    for (const dir of ['/srv/site', '/srv/site/svc-data'])
      expect(() => createHost({ ...options, apps: [{ dir }] })).toThrow(
        `the data folder /srv/site/svc-data is inside the app folder ${dir}, whose files browsers may read`,
      )
    await store.close()
  },
)
