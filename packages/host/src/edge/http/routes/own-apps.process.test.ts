import { verifies } from '@svc/conformance/verifies'
import { expect, it, onTestFinished } from 'vitest'
import { createHost } from '../../../create-host.ts'
import { API, ORIGIN, withApp } from '../../../testing/routes.ts'
import { filesOf, testManifest } from '../../../testing/services.ts'

const pathsOf = (app: string) => [
  `${API}/apps/${app}/releases`,
  `${API}/apps/${app}/versions/1.0.0/archive`,
  `${API}/apps/${app}/versions/0.0.0-draft/archive`,
]

verifies.each('route.no_sign_in')([`${API}/apps`, ...pathsOf('app_x')])(
  '%s without a sign-in is 401',
  async (path) => {
    const { send } = await withApp()
    const { status, code } = await send(path, { cookie: null })
    expect([status, code]).toEqual([401, 'invalid_token'])
  },
)

verifies(
  ['route.apps.list', 'route.apps.releases', 'route.apps.foreign'],
  'an owner lists apps and releases, and another user finds none of them',
  async () => {
    const { send, login, app_id, draft } = await withApp()
    await send(`${API}/apps/${app_id}/releases`, { method: 'POST', body: { version: '1.0.0' } })
    expect((await send(`${API}/apps?search=NOTES&limit=1`)).json).toMatchObject({
      apps: [{ app_id, draft, latest_release: '1.0.0' }],
      next_cursor: null,
    })
    expect((await send(`${API}/apps/${app_id}/releases`)).json).toMatchObject({
      releases: [{ version: '1.0.0', digest: draft.digest }],
      next_cursor: null,
    })
    const bob = await login('bob')
    expect((await send(`${API}/apps`, { cookie: bob })).json).toEqual({ apps: [], next_cursor: null })
    for (const [at, path] of pathsOf(app_id).entries()) {
      const foreign = await send(path, { cookie: bob })
      const absent = await send(pathsOf('app_none')[at] ?? '', { cookie: bob })
      expect([foreign.status, foreign.text.replace(app_id, 'app_none')]).toEqual([404, absent.text])
    }
  },
)

it.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=x', 'limit'],
  [`search=${'x'.repeat(101)}`, 'search'],
  ['cursor=x', 'cursor'],
])('a list with %s is refused', async (query, path) => {
  const { send } = await withApp()
  const { status, json } = await send(`${API}/apps?${query}`)
  expect([status, json.error.code, json.error.details.path]).toEqual([400, 'invalid_arg', path])
})

it('a search of digits is text', async () => {
  const { send } = await withApp()
  await send(`${API}/apps`, { method: 'POST', body: { slug: 'year-2026', name: 'true' } })
  for (const search of ['2026', 'true'])
    expect((await send(`${API}/apps?search=${search}`)).json.apps).toMatchObject([{ slug: 'year-2026' }])
})

verifies('route.apps.archive', 'is sent whole, by GET and HEAD, and can be pushed again', async () => {
  const { routes, send, login, app_id, draft } = await withApp()
  const path = `${API}/apps/${app_id}/versions/0.0.0-draft/archive`
  const cookie = await login('ada')
  const got = await routes.fetch(new Request(ORIGIN + path, { headers: { host: '127.0.0.1:8787', cookie } }))
  const bytes = Buffer.from(await got.arrayBuffer())
  expect(Object.fromEntries(got.headers)).toEqual({
    'content-type': 'application/x-tar',
    'content-length': String(bytes.length),
    'content-disposition': 'attachment; filename="app.tar"',
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
  const head = await send(path, { method: 'HEAD' })
  expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
    200,
    '',
    String(bytes.length),
  ])
  const again = await send(`${API}/apps/${app_id}/draft`, {
    method: 'PUT',
    body: bytes,
    headers: { 'content-type': 'application/x-tar' },
  })
  expect([again.status, again.json]).toEqual([200, draft])
})

verifies('route.apps.archive.cut', 'is cut off where the app is deleted while it is sent', async () => {
  const host = createHost({
    runner: null,
    authenticate: () => ({ id: 'ada' }),
    limits: { SERVED_PIECE_BYTES: 1_024 },
  })
  onTestFinished(() => host.close())
  const { url } = await host.listen(0)
  const { app_id } = await host.apps.register('ada', { slug: 'notes', name: 'Notes' })
  const large = 'x'.repeat(8_000_000)
  await host.apps.pushDraft('ada', app_id, {
    manifest: testManifest(),
    files: filesOf({ 'index.html': '<p>', large }),
  })
  const response = await fetch(`${url}${API}/apps/${app_id}/versions/0.0.0-draft/archive`)
  const reader = response.body?.getReader()
  await reader?.read()
  await host.apps.remove('ada', app_id)
  const rest = async () => {
    while (!(await reader?.read())?.done);
  }
  await expect(rest()).rejects.toThrow()
})

verifies('route.list.search', 'installs are searched by name, slug and id', async () => {
  const { send, app_id, install_id } = await withApp()
  for (const search of ['note', 'NOTES', app_id])
    expect((await send(`${API}/installs?search=${search}`)).json.installs).toMatchObject([{ install_id }])
  expect((await send(`${API}/installs?search=sky`)).json).toEqual({ installs: [] })
  expect((await send(`${API}/installs?search=${'x'.repeat(101)}`)).status).toBe(400)
})
