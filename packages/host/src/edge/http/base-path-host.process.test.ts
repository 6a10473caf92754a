import { verifies } from '@svc/conformance/verifies'
import { WINDOW_TOKEN_HEADER } from '@svc/contract'
import { routeRows } from '@svc/contract/routes'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHost } from '../../create-host.ts'
import type { Host } from '../../host.ts'
import { paths } from '../../kernel/request/paths.ts'
import { testManifest } from '../../testing/services.ts'
import { openSocket, refusedUpgrade } from '../../testing/socket.ts'

const BASE = '/svc'
const API = '/api/v1/svc-apps'
const page = (path: string) =>
  path === '/' ? { bytes: Buffer.from('<title>svc</title>'), type: 'text/html' } : null

let host: Host
let origin = ''
let port = 0
let cookie = ''

interface Sent {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

async function send(path: string, { method = 'GET', body, headers = {} }: Sent = {}) {
  const response = await fetch(origin + path, {
    method,
    redirect: 'manual',
    headers: {
      origin,
      cookie,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(5_000),
  })
  const type = response.headers.get('content-type') ?? ''
  // A stream of events has no end.
  const text = type.startsWith('text/event-stream') ? '' : await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: type.includes('json') ? JSON.parse(text) : null,
  }
}

beforeAll(async () => {
  host = createHost({
    basePath: BASE,
    signIn: 'dev',
    runner: null,
    page,
    upgrades: true,
    logger: pino({ level: 'silent' }),
  })
  const listening = await host.listen(0)
  port = listening.port
  origin = `http://127.0.0.1:${port}`
  expect(listening.url).toBe(origin + BASE)
})
afterAll(() => host.close())

verifies('host.config.base_path', 'signs in for the base path alone', async () => {
  const { headers } = await send(`${BASE}/api/v1/auth/dev-login`, {
    method: 'POST',
    body: { user: 'ada' },
    headers: { authorization: `Bearer ${host.startToken}` },
  })
  const set = headers.get('set-cookie') ?? ''
  expect(set.split('; ').at(-1)).toBe('Path=/svc')
  cookie = set.split(';')[0] ?? ''
})

/** What the fronts answer themselves, and one of the others, which all stand behind the same two lines. */
const rows = routeRows()
  .filter(([name]) => ['calls.rpc', 'calls.events', 'apps.list'].includes(name))
  .map(([name, { method, path }]) => ({ name, method, path }))

verifies.each('host.config.base_path')(rows)('has $name under it', async ({ method, path }) => {
  const body = method === 'GET' ? {} : { body: {} }
  const ask = (prefix: string) => send(prefix + path, { method, ...body })
  const [under, stripped, beside] = [await ask(BASE), await ask(''), await ask('/svcs')]
  expect(under.text).not.toContain('there is no such route')
  expect([under.status, under.json?.error]).toEqual([stripped.status, stripped.json?.error])
  expect([beside.status, beside.json.error.message]).toEqual([404, 'there is no such route'])
})

test.each(routeRows().filter(([, { status }]) => status === 101))(
  'upgrades %s under it',
  async (_, { path }) => {
    for (const prefix of [BASE, '']) {
      const refused = await refusedUpgrade({ port, path: prefix + path })
      expect([refused.status, refused.body.error.code]).toEqual([401, 'invalid_token'])
    }
    expect((await refusedUpgrade({ port, path: `/svcs${path}` })).body.error.code).toBe('not_found')
  },
)

verifies('host.config.base_path', 'an app is pushed, opened, loaded, called and fed under it', async () => {
  const made = await send(`${BASE}${API}/apps`, { method: 'POST', body: { slug: 'notes', name: 'Notes' } })
  const { app_id } = made.json
  const manifest = testManifest({ host_api: { upload: ['*'] } })
  const files = { 'index.html': Buffer.from('<p>').toString('base64') }
  const draft = await send(`${BASE}${API}/apps/${app_id}/draft`, { method: 'PUT', body: { manifest, files } })
  const installed = await send(`${BASE}${API}/installs`, {
    method: 'POST',
    body: { app_id, version: '0.0.0-draft', grants: { upload_grant: true } },
  })
  expect(installed.status).toBe(200)
  const { json: window } = await send(`${BASE}${API}/windows`, { method: 'POST', body: { app_id } })
  expect(window.entry_url).toMatch(`/svc/api/v1/svc-apps/bundles/${draft.json.digest}/index.html?window=`)

  // As a script reads it, without the prelude of a document.
  const entry = await send(window.entry_url)
  expect([entry.status, entry.text]).toEqual([200, '<p>'])
  const policy = entry.headers.get('content-security-policy') ?? ''
  const folder = origin + window.entry_url.replace(/index\.html.*/, '')
  expect(policy).toContain(`script-src ${folder} `)
  expect(policy).toContain(`img-src ${folder} ${origin}${BASE}${paths.files} `)
  expect(policy).toContain(`connect-src ${folder} ${origin}${BASE}${paths.uploads} data:`)

  const content = Buffer.from('hello')
  const envelope = {
    id: '1',
    window_uuid: window.window_uuid,
    ns: 'upload',
    method: 'negotiate',
    args: { mime: 'text/plain', purpose: 'test', size_bytes: content.length },
  }
  const token = { [WINDOW_TOKEN_HEADER]: window.token }
  const call = await send(BASE + paths.rpc, { method: 'POST', body: envelope, headers: token })
  const { upload_url, file_ref } = call.json.result
  expect(upload_url.startsWith(`${origin}${BASE}${paths.uploads}`)).toBe(true)
  const put = await fetch(upload_url, {
    method: 'PUT',
    body: content,
    headers: { 'content-type': 'text/plain' },
  })
  expect(put.status).toBe(200)
  const confirm = { ...envelope, method: 'confirm', args: { file_ref } }

  const socket = await openSocket({ port, cookie, path: BASE + paths.calls })
  const [said] = await socket.ask(JSON.stringify(confirm), window.token)
  socket.ws.close()
  const { url } = JSON.parse(said?.text ?? '').result
  expect(url).toBe(`${origin}${BASE}${paths.files}${file_ref}`)
  expect((await send(new URL(url).pathname)).text).toBe('hello')
})

verifies.each('host.config.base_path')([
  ['/svc', 308, '/svc/'],
  ['/svc?view=1', 308, '/svc/?view=1'],
  ['/svc/', 200, null],
  ['/svc/?view=1', 200, null],
  ['/', 200, null],
  ['/svc/nothing', 404, null],
])('the page at %s: %i', async (path, status, location) => {
  const { headers, ...answer } = await send(path)
  expect([answer.status, headers.get('location')]).toEqual([status, location])
  if (status === 200)
    expect(headers.get('content-security-policy')).toContain(`frame-src ${origin}/svc${paths.bundles};`)
})
