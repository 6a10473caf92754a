import { verifies } from '@svc/conformance/verifies'
import { describe, expect, test } from 'vitest'
import { API, openRoutes, push, withApp } from '../../../testing/routes.ts'

/** Every route with a JSON body, and one that it would take. */
const withBody: [method: string, path: string, body: unknown][] = [
  ['POST', `${API}/apps`, { slug: 'x', name: 'X' }],
  ['PUT', `${API}/apps/app_x/draft`, push],
  ['POST', `${API}/apps/app_x/releases`, { version: '1.0.0' }],
  ['POST', `${API}/installs`, { app_id: 'app_x', version: '1.0.0' }],
  ['POST', `${API}/windows`, { app_id: 'app_x' }],
  ['POST', `${API}/windows/w/token`, {}],
]

describe('bodies', () => {
  verifies.each('wall.media_type')(withBody)(
    '%s %s of another media type is 415',
    async (method, path, body) => {
      const { send, app_id } = await withApp()
      for (const type of [null, 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
        const where = path.replace('app_x', app_id)
        const answer = await send(where, {
          method,
          body: JSON.stringify(body),
          headers: { 'content-type': type },
        })
        expect([answer.status, answer.code]).toEqual([415, 'invalid_arg'])
      }
    },
  )

  test.each([
    ['no JSON', '{', 'the body must be JSON'],
    ['nothing', '', 'the body must be JSON'],
    ['a list', '[]', 'the body must be a JSON object'],
    ['null', 'null', 'the body must be a JSON object'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'the body must be UTF-8'],
    ['depth', `${'['.repeat(65)}${']'.repeat(65)}`, 'the body must nest at most 64 levels deep'],
    ['a missing field', '{"slug":"x"}', 'name must be a string, got nothing', 'name'],
    ['a wrong field', '{"slug":7,"name":"X"}', 'slug must be a string, got 7', 'slug'],
  ])('%s is refused', async (_what, body, message, path?: string) => {
    const { send } = await openRoutes()
    const answer = await send(`${API}/apps`, { method: 'POST', body })
    const details = path === undefined ? {} : { details: { path } }
    expect([answer.status, answer.json]).toEqual([
      400,
      { error: { code: 'invalid_arg', message, ...details } },
    ])
  })

  test('a charset beside the type is fine', async () => {
    const { send } = await openRoutes()
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' }
    expect(
      (await send(`${API}/apps`, { method: 'POST', body: { slug: 'x', name: 'X' }, headers })).status,
    ).toBe(200)
  })

  verifies(
    'wall.body_cap',
    'a body over its cap is 413, told or counted; exactly the cap passes',
    async () => {
      const { send } = await openRoutes({ limits: { ROUTE_BODY_MAX_BYTES: 32 } })
      const body = (length: number) => `{"slug":"x","name":"X"}${' '.repeat(length - 23)}`
      expect((await send(`${API}/apps`, { method: 'POST', body: body(32) })).status).toBe(200)
      for (const headers of [{}, { 'content-length': '33' }]) {
        const answer = await send(`${API}/apps`, { method: 'POST', body: body(33), headers })
        expect([answer.status, answer.json]).toEqual([
          413,
          {
            error: {
              code: 'invalid_arg',
              message: 'the body must have at most 32 bytes',
              details: { max: 32 },
            },
          },
        ])
      }
    },
  )

  test("a draft has a cap of its own, and a stranger's is not read", async () => {
    const { send, app_id } = await withApp({ limits: { DRAFT_BODY_MAX_BYTES: 1_000 } })
    const body = { ...push, files: { 'index.html': 'A'.repeat(1_000) } }
    expect((await send(`${API}/apps/${app_id}/draft`, { method: 'PUT', body })).status).toBe(413)
    expect((await send(`${API}/apps/app_x/draft`, { method: 'PUT', body })).status).toBe(404)
  })
})
