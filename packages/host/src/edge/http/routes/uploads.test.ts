import { verifies } from '@svc/conformance/verifies'
import { describe, expect, test } from 'vitest'
import { negotiate } from '../../../data/uploads/keep.ts'
import { ada } from '../../../testing/files.ts'
import { ORIGIN, openRoutes } from '../../../testing/routes.ts'

const anywhere = { origin: 'null' }

/** Routes, and an upload of five bytes of text under way. */
async function opened() {
  const routes = await openRoutes()
  const told = { mime: 'text/plain', purpose: 'test', filename: null, size_bytes: 5 } as const
  const { upload_url, file_ref } = await negotiate(routes.services, ada, told, ORIGIN)
  const path = upload_url.slice(ORIGIN.length)
  const put = (body: unknown, headers: Record<string, string | null> = {}, at = path) =>
    routes.send(at, {
      method: 'PUT',
      body,
      cookie: null,
      headers: { ...anywhere, 'content-type': 'text/plain', ...headers },
    })
  return { ...routes, path, file_ref, put }
}

describe('an upload URL', () => {
  verifies(
    ['route.uploads', 'wall.uploads.cors'],
    'takes the bytes from an opaque origin without a cookie, after a preflight',
    async () => {
      const { send, put, path, file_ref } = await opened()
      const preflight = await send(path, {
        method: 'OPTIONS',
        cookie: null,
        headers: { ...anywhere, 'access-control-request-method': 'PUT' },
      })
      expect([preflight.status, preflight.text]).toEqual([204, ''])
      expect(Object.fromEntries(preflight.headers)).toEqual({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'PUT',
        'access-control-allow-headers': 'content-type',
        'access-control-max-age': '600',
      })
      const { status, json, headers } = await put('bytes')
      expect([status, json]).toEqual([200, { file_ref, size_bytes: 5 }])
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    },
  )

  verifies.each(['route.uploads', 'wall.uploads.cors', 'route.errors'])([
    ['a body that is too long', 'bytes!', {}, 413, 'invalid_arg'],
    ['a body that is told too long', 'bytes!', { 'content-length': '6' }, 413, 'invalid_arg'],
    ['a body that is too short', 'byte', {}, 400, 'invalid_arg'],
    ['another type', 'bytes', { 'content-type': 'text/html' }, 415, 'invalid_arg'],
    ['a form', 'bytes', { 'content-type': 'multipart/form-data' }, 415, 'invalid_arg'],
    ['bytes of another type', Buffer.from([0xff, 0xfe, 0, 0, 0xff]), {}, 400, 'invalid_arg'],
  ] as const)(
    'refuses %s, tells the bundle why, and stays open',
    async (_name, body, headers, status, code) => {
      const { put } = await opened()
      const refused = await put(body, headers)
      expect([refused.status, refused.code]).toEqual([status, code])
      expect(refused.headers.get('access-control-allow-origin')).toBe('*')
      expect((await put('bytes', { 'content-type': 'Text/Plain; charset=utf-8' })).status).toBe(200)
    },
  )

  verifies('route.uploads', 'takes one PUT, and none with a signature that is not its own', async () => {
    const { put, path } = await opened()
    for (const at of [
      path.replace(/sig=.*/, ''),
      path.replace('sig=', 'sig=x'),
      path.replace(/file_./, 'file_x'),
    ]) {
      const refused = await put('bytes', {}, at)
      expect([refused.status, refused.code]).toEqual([401, 'invalid_token'])
    }
    expect((await put('bytes')).status).toBe(200)
    const second = await put('bytes')
    expect([second.status, second.code]).toEqual([409, 'conflict'])
    expect(second.headers.get('access-control-allow-origin')).toBe('*')
  })

  test.each(['GET', 'POST', 'DELETE', 'PATCH'])('knows no %s', async (method) => {
    const { send, path } = await opened()
    const { status, headers } = await send(path, { method })
    expect([status, headers.get('allow')]).toEqual([405, 'OPTIONS, PUT'])
  })

  verifies('wall.host_header', 'answers no other Host, even with its signature', async () => {
    const { put } = await opened()
    expect((await put('bytes', { host: 'rebound.example' })).status).toBe(403)
  })
})

describe('a file URL', () => {
  test.each(['file_unknown', '__proto__', '..%2f..%2fetc%2fpasswd', '%00', 'x'.repeat(4_000)])(
    '%s is 404',
    async (name) => {
      const { send } = await openRoutes()
      const answer = await send(`/api/v1/svc-apps/files/${name}`, { cookie: null, headers: { origin: null } })
      expect([answer.status, answer.code]).toEqual([404, 'not_found'])
      expect(answer.headers.get('cache-control')).toBe('no-store')
    },
  )
})
