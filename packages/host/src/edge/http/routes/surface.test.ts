import { verifies } from '@svc/conformance/verifies'
import { cookieAt, SIGN_IN_COOKIE } from '@svc/contract'
import { describe, expect, test } from 'vitest'
import { API, ORIGIN, openRoutes, starts, withApp } from '../../../testing/routes.ts'
import { entryOf } from '../../../testing/windows.ts'

describe('the development sign-in', () => {
  verifies('route.dev_login', 'sets the cookie and answers the user', async () => {
    const { send, services } = await openRoutes()
    const { status, json, headers } = await send('/api/v1/auth/dev-login', {
      method: 'POST',
      body: { user: 'bob' },
      headers: starts(services),
    })
    expect([status, json]).toEqual([200, { user_id: 'bob' }])
    expect(headers.get('set-cookie')).toMatch(
      /^svc_signin_8787=[\w-]+\.[\w-]+\.[\w-]+; Max-Age=2592000; HttpOnly; SameSite=Lax; Path=\/$/,
    )
    expect(headers.get('cache-control')).toBe('no-store')
  })

  verifies('route.dev_login', 'is kept apart from that at another port, whose cookies come too', async () => {
    const hosts = await Promise.all(
      ['127.0.0.1:8787', '127.0.0.1:9000', '127.0.0.1'].map(async (host) => {
        const { send, services } = await openRoutes()
        const at = { host, origin: `http://${host}` }
        const { headers } = await send('/api/v1/auth/dev-login', {
          method: 'POST',
          body: { user: host },
          headers: { ...starts(services), ...at },
        })
        const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
        return {
          host,
          cookie,
          whoIs: async (cookies: string) =>
            (await send('/api/v1/auth/whoami', { cookie: cookies, headers: at })).json,
        }
      }),
    )
    const jar = hosts.map(({ cookie }) => cookie)
    expect(jar.map((cookie) => cookie.split('=')[0])).toEqual([
      'svc_signin_8787',
      'svc_signin_9000',
      'svc_signin',
    ])
    for (const { host, whoIs } of hosts) {
      expect(await whoIs(jar.join('; '))).toEqual({ user_id: host })
      expect(
        await whoIs(
          jar.filter((cookie) => !cookie.startsWith(`${cookieAt(SIGN_IN_COOKIE, host)}=`)).join('; '),
        ),
      ).toEqual({ user_id: null })
    }
  })

  test.each([
    [{}],
    [{ user: '' }],
    [{ user: '  ' }],
    [{ user: 'a\nb' }],
    [{ user: '\u200b' }],
    [{ user: 'x'.repeat(65) }],
    [{ user: 7 }],
    [{ user: 'operator' }],
  ])('%j is refused', async (body) => {
    const { send, services } = await openRoutes()
    const headers = starts(services)
    const { status, code } = await send('/api/v1/auth/dev-login', { method: 'POST', body, headers })
    expect([status, code]).toEqual([400, 'invalid_arg'])
  })

  test('a host without it has no such route', async () => {
    const { send } = await openRoutes({ settings: { signIn: 'none' } })
    const { status } = await send('/api/v1/auth/dev-login', { method: 'POST', body: { user: 'ada' } })
    expect(status).toBe(404)
  })
})

describe('who is signed in', () => {
  verifies('route.whoami', 'is told to anybody who asks, and null where nobody is', async () => {
    const { send, login } = await openRoutes()
    const who = async (cookie: string | null) => {
      const { status, json } = await send('/api/v1/auth/whoami', { cookie })
      return [status, json]
    }
    expect(await who(null)).toEqual([200, { user_id: null }])
    expect(await who('svc_signin_8787=x.y.z')).toEqual([200, { user_id: null }])
    expect(await who(await login('bob'))).toEqual([200, { user_id: 'bob' }])
  })
})

describe('installs and windows', () => {
  verifies('route.installs', 'are made, listed and removed', async () => {
    const { send, app_id, install_id } = await withApp()
    const listed = await send(`${API}/installs`)
    expect(listed.json).toMatchObject({ installs: [{ install_id, app_id, grants: { web_grant: true } }] })
    const removed = await send(`${API}/installs/${install_id}`, { method: 'DELETE' })
    expect([removed.status, removed.json]).toEqual([200, {}])
    expect((await send(`${API}/installs`)).json).toEqual({ installs: [] })
    expect((await send(`${API}/installs/${install_id}`, { method: 'DELETE' })).status).toBe(404)
  })

  verifies(
    ['route.windows.open', 'route.windows.list', 'route.windows.token', 'route.windows.close'],
    'a window is opened, listed, renewed and closed',
    async () => {
      const { send, app_id, draft } = await withApp()
      const opened = await send(`${API}/windows`, {
        method: 'POST',
        body: { app_id, view: 'editor', payload: [1] },
      })
      expect(opened.status).toBe(200)
      expect(opened.headers.get('cache-control')).toBe('no-store')
      expect(opened.json).toEqual({
        window_uuid: expect.any(String),
        token: expect.any(String),
        expires_in: 120,
        entry_url: entryOf(draft.digest, opened.json.window_uuid),
        view_meta: expect.objectContaining({ name: 'editor' }),
        geometry: { w: 500, h: 600, z: 1 },
        title: 'Notes',
        browser: [],
      })
      const url = `${API}/windows/${opened.json.window_uuid}`
      expect((await send(`${API}/windows`)).json).toMatchObject({
        windows: [{ window_uuid: opened.json.window_uuid }],
      })
      const renewed = await send(`${url}/token`, { method: 'POST', body: {} })
      expect(renewed.json).toEqual({ token: expect.any(String), expires_in: 120 })
      expect((await send(url, { method: 'DELETE' })).json).toEqual({})
      expect((await send(url, { method: 'DELETE' })).json).toEqual({})
      expect((await send(`${url}/token`, { method: 'POST', body: {} })).status).toBe(404)
      expect((await send(`${API}/windows`)).json).toEqual({ windows: [] })
    },
  )
})

verifies(
  'window.attached',
  'a window is closed for a page that showed it last, and for whoever says so',
  async () => {
    const { send, app_id } = await withApp()
    const { json } = await send(`${API}/windows`, { method: 'POST', body: { app_id } })
    const url = `${API}/windows/${json.window_uuid}`
    const attach = async () => (await send(`${url}/token`, { method: 'POST', body: { attach: true } })).json
    expect([(await attach()).attached, (await attach()).attached]).toEqual([1, 2])
    const closed = async (query: string) => {
      const { status } = await send(`${url}${query}`, { method: 'DELETE' })
      return [status, (await send(`${API}/windows`)).json.windows.length === 0]
    }
    for (const [query, ...seen] of [
      ['?attached=0', 200, false],
      ['?attached=1', 200, false],
      ['?attached=-1', 400, false],
      ['?attached=2', 200, true],
    ] as const)
      expect(await closed(query)).toEqual(seen)
  },
)

describe('the reason of a page that closes a window', () => {
  const opened = async () => {
    const { send, app_id } = await withApp()
    const { json } = await send(`${API}/windows`, { method: 'POST', body: { app_id } })
    return { send, url: `${API}/windows/${json.window_uuid}` }
  }

  verifies('window.close.page_reason', 'has at most 200 characters', async () => {
    const { send, url } = await opened()
    const long = await send(`${url}?reason=${'x'.repeat(201)}`, { method: 'DELETE' })
    expect([long.status, long.json]).toEqual([
      400,
      { error: expect.objectContaining({ code: 'invalid_arg', message: expect.stringContaining('reason') }) },
    ])
    expect((await send(`${url}?reason=${'x'.repeat(200)}`, { method: 'DELETE' })).status).toBe(200)
  })
})

describe('bundle files', () => {
  verifies('route.bundles', 'are public, by GET and HEAD', async () => {
    const { send, draft, app_id } = await withApp()
    const { json: window } = await send(`${API}/windows`, { method: 'POST', body: { app_id } })
    const url = window.entry_url
    const got = await send(url, { cookie: null, headers: { origin: null } })
    expect([got.status, got.text]).toEqual([200, expect.stringMatching(/<\/style>--><!doctype html>$/)])
    expect(got.headers.get('content-security-policy')).toContain(`frame-ancestors ${ORIGIN}`)
    expect(got.headers.get('content-security-policy')).toContain(
      `script-src ${ORIGIN}${API}/bundles/${draft.digest}/ `,
    )
    const head = await send(url, { method: 'HEAD', cookie: null, headers: { origin: null } })
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
      200,
      '',
      String(got.text.length),
    ])
    const kept = ({ headers }: typeof got) => [...headers].filter(([name]) => name !== 'content-length')
    expect(kept(head)).toEqual(kept(got))
  })

  verifies.each('wall.bundle.traversal')([
    '',
    '/',
    '/%2e%2e/index.html',
    '/..%2findex.html',
    '/%5cindex.html',
    '/%',
  ])('the path %j behind the digest is 404', async (path) => {
    const { send, draft } = await withApp()
    const answer = await send(`${API}/bundles/${draft.digest}${path}`, { cookie: null })
    expect([answer.status, answer.code]).toEqual([404, 'not_found'])
  })
})

describe('the page', () => {
  const page = (path: string) =>
    path === '/' ? { bytes: Buffer.from('<h1>'), type: 'text/html; charset=utf-8' } : null

  verifies('wall.page.frame_src', 'may frame the bundle folder only', async () => {
    const { send } = await openRoutes({ page })
    const { status, text, headers } = await send('/', { cookie: null })
    expect([status, text, headers.get('content-type')]).toEqual([200, '<h1>', 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toContain(`frame-src ${ORIGIN}${API}/bundles/;`)
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('permissions-policy')).toContain('camera=()')
    expect(headers.get('strict-transport-security')).toBe(null)
  })

  verifies('route.page.etag', 'is not sent again to who has it, and is when it is another', async () => {
    let text = '<h1>'
    const { send } = await openRoutes({ page: () => ({ bytes: Buffer.from(text), type: 'text/html' }) })
    const first = await send('/', { cookie: null })
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\da-f]{64}"$/)
    const ask = () => send('/', { cookie: null, headers: { 'if-none-match': etag } })
    const again = await ask()
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    // A page that is kept goes by the policy of now.
    expect(again.headers.get('content-security-policy')).toContain('frame-src')
    text = '<h2>'
    expect(await ask()).toMatchObject({ status: 200, text: '<h2>' })
  })

  test('what it does not have is 404, and it never answers for the API', async () => {
    const greedy = await openRoutes({ page: () => ({ bytes: Buffer.of(), type: 'text/plain' }) })
    expect((await greedy.send('/api/v1/svc-apps/nothing')).status).toBe(404)
    expect((await greedy.send('/anything')).status).toBe(200)
    const { send } = await openRoutes({ page })
    expect((await send('/missing')).status).toBe(404)
  })
})

describe('errors', () => {
  verifies('route.errors', 'an unknown route is 404 with a code', async () => {
    const { send } = await openRoutes()
    for (const path of ['/nothing', `${API}/nothing`, '/api/v2/svc-apps/windows']) {
      const answer = await send(path)
      expect([answer.status, answer.json]).toEqual([
        404,
        { error: { code: 'not_found', message: 'there is no such route' } },
      ])
    }
  })

  verifies.each('route.wrong_method')([
    ['GET', '/plugs/my/drafts', 'POST'],
    ['OPTIONS', `${API}/apps`, 'GET, HEAD, POST'],
    ['PUT', '/plugs/my/tools/tool-x', 'DELETE, GET, HEAD, PATCH'],
    ['POST', `${API}/bundles/x/index.html`, 'GET, HEAD, OPTIONS'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['GET', `${API}/runtime/rpc`, 'POST'],
    ['DELETE', `${API}/runtime/events`, 'GET'],
  ])('%s %s is 405 and says which methods it has: %s', async (method, path, allow) => {
    const { send } = await openRoutes()
    const answer = await send(path, { method, cookie: null })
    expect([answer.status, answer.code, answer.headers.get('allow')]).toEqual([405, 'not_found', allow])
  })

  test('a route that this host does not have is 404 by any method', async () => {
    const { send } = await openRoutes({ settings: { signIn: 'none' } })
    for (const method of ['GET', 'POST'])
      expect((await send('/api/v1/auth/dev-login', { method })).status).toBe(404)
  })

  test('what nobody expected is a fixed sentence', async () => {
    const { services, send } = await openRoutes()
    await services.store.close()
    const answer = await send(`${API}/windows`)
    expect([answer.status, answer.json]).toEqual([
      500,
      {
        error: { code: 'internal_error', message: 'Something went wrong in the host. It has been logged.' },
      },
    ])
  })
})
