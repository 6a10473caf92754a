import { verifies } from '@svc/conformance/verifies'
import { describe, expect, test } from 'vitest'
import { API, openRoutes, push, withApp } from '../../../testing/routes.ts'

type Row = [method: string, path: string, body: unknown]

/** Every cookie route, with a body that it would take. */
const cookieRoutes: Row[] = [
  ['POST', `${API}/apps`, { slug: 'x', name: 'X' }],
  ['PUT', `${API}/apps/app_x/draft`, push],
  ['POST', `${API}/apps/app_x/releases`, { version: '1.0.0' }],
  ['POST', `${API}/installs`, { app_id: 'app_x', version: '1.0.0' }],
  ['GET', `${API}/installs`, undefined],
  ['DELETE', `${API}/installs/ins_x`, undefined],
  ['POST', `${API}/windows`, { app_id: 'app_x' }],
  ['GET', `${API}/windows`, undefined],
  ['POST', `${API}/windows/w/token`, {}],
  ['DELETE', `${API}/windows/w`, undefined],
]

const writing = cookieRoutes.filter(([method]) => method !== 'GET')

describe('who may ask', () => {
  verifies.each('route.no_sign_in')(cookieRoutes)(
    '%s %s without a sign-in is 401',
    async (method, path, body) => {
      const { send } = await openRoutes()
      for (const cookie of [null, 'svc_signin_8787=x.y.z', 'other=1']) {
        const answer = await send(path, { method, body, cookie })
        expect([answer.status, answer.code]).toEqual([401, 'invalid_token'])
      }
    },
  )

  verifies.each('wall.origin')([...writing, ['POST', '/api/v1/auth/dev-login', { user: 'ada' }]])(
    '%s %s without a listed Origin is 403',
    async (method, path, body) => {
      const { send } = await openRoutes()
      for (const origin of [null, 'null', 'http://evil.example', 'http://127.0.0.1:1']) {
        const answer = await send(path, { method, body, headers: { origin } })
        expect([answer.status, answer.code]).toEqual([403, 'permission_denied'])
      }
    },
  )

  verifies.each('wall.host_header')([
    ...cookieRoutes,
    ['GET', '/healthz', undefined],
    ['GET', '/', undefined],
    ['GET', `${API}/bundles/x/y`, undefined],
  ])('%s %s to another Host is 403', async (method, path, body) => {
    const { send } = await openRoutes()
    const answer = await send(path, { method, body, headers: { host: 'rebound.example' } })
    expect([answer.status, answer.code]).toEqual([403, 'permission_denied'])
  })

  test('a GET needs no Origin', async () => {
    const { send } = await openRoutes()
    expect((await send(`${API}/windows`, { headers: { origin: null } })).status).toBe(200)
  })

  verifies('route.foreign', 'what is of another user is 404', async () => {
    const { send, login, app_id, install_id } = await withApp()
    const { json } = await send(`${API}/windows`, { method: 'POST', body: { app_id } })
    const bob = await login('bob')
    const tries: readonly (readonly [string, string, unknown?])[] = [
      ['PUT', `${API}/apps/${app_id}/draft`, push],
      ['POST', `${API}/apps/${app_id}/releases`, { version: '1.0.0' }],
      ['POST', `${API}/installs`, { app_id, version: '0.0.0-draft' }],
      ['DELETE', `${API}/installs/${install_id}`],
      ['POST', `${API}/windows`, { app_id }],
      ['POST', `${API}/windows/${json.window_uuid}/token`, {}],
      ['DELETE', `${API}/windows/${json.window_uuid}`],
    ]
    for (const [method, path, body] of tries) {
      const answer = await send(path, { method, body, cookie: bob })
      expect([path, answer.status, answer.code]).toEqual([path, 404, 'not_found'])
    }
  })
})
