import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { digestOf } from '@svc/state'
import { expect, test } from 'vitest'
import { keepFile } from '../../../data/uploads/keep.ts'
import { API, html, withApp } from '../../../testing/routes.ts'

const TEXT = 'a text of 26 bytes, in all'
const TAG = `"${digestOf(Buffer.from(TEXT))}"`

/** A file and its address; it is read in pieces of `pieceBytes`. */
async function withFile(pieceBytes: number = limits.SERVED_PIECE_BYTES) {
  const app = await withApp({ limits: { SERVED_PIECE_BYTES: pieceBytes } })
  const bytes = Buffer.from(TEXT)
  const told = { mime: 'text/plain', purpose: 'test', filename: null } as const
  const { id } = await keepFile(app.services, { userId: 'ada', appId: app.app_id }, { ...told, bytes })
  const get = (headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    app.send(`${API}/files/${id}`, { method, cookie: null, headers })
  return { ...app, get }
}

verifies(
  'served.conditional',
  'a file carries the tag of its bytes, and is left out for who has them',
  async () => {
    const { get } = await withFile()
    const whole = await get()
    expect([whole.status, whole.text, whole.headers.get('etag')]).toEqual([200, TEXT, TAG])
    expect(whole.headers.get('accept-ranges')).toBe('bytes')
    const again = await get({ 'if-none-match': TAG })
    expect([again.status, again.text]).toEqual([304, ''])
    expect(again.headers.get('cache-control')).toBe(whole.headers.get('cache-control'))
    expect(again.headers.get('content-security-policy')).toBe(whole.headers.get('content-security-policy'))
    expect([again.headers.get('content-length'), again.headers.get('content-type')]).toEqual([null, null])
  },
)

test('a file of a bundle may be asked for with any headers, by a document of any origin', async () => {
  const { send, draft } = await withApp()
  const headers = {
    origin: 'null',
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'hx-request',
  }
  const answer = await send(`${API}/bundles/${draft.digest}/part.html`, {
    method: 'OPTIONS',
    cookie: null,
    headers,
  })
  expect(answer.status).toBe(204)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(answer.headers.get('access-control-allow-headers')).toBe('*')
})

verifies('served.conditional', 'so does a bundle file', async () => {
  const { send, draft } = await withApp()
  const url = `${API}/bundles/${draft.digest}/index.html`
  // As the part of a page: a document is of one window.
  const part = { 'sec-fetch-mode': 'cors' }
  const etag = (await send(url, { headers: part })).headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[0-9a-f]{64}"$/)
  expect((await send(url, { headers: { ...part, 'if-none-match': etag } })).status).toBe(304)
  expect((await send(url, { headers: { ...part, 'if-none-match': '"other"' } })).text).toContain(
    html.toString(),
  )
})

verifies.each('served.ranges')([
  ['bytes=0-5', {}, 206, 'a text', 'bytes 0-5/26'],
  ['bytes=-3', {}, 206, 'all', 'bytes 23-25/26'],
  ['bytes=0-5', { 'if-range': TAG }, 206, 'a text', 'bytes 0-5/26'],
  ['bytes=0-5', { 'if-range': '"other"' }, 200, TEXT, null],
  ['bytes=0-5', { 'if-range': 'Sun, 22 Nov 2026 15:00:00 GMT' }, 200, TEXT, null],
  ['bytes=0-5', { 'if-none-match': TAG }, 304, '', null],
  ['bytes=0-1,4-5', {}, 200, TEXT, null],
])('Range %s with %j is %i', async (range, headers, status, text, contentRange) => {
  const { get } = await withFile(4)
  const got = await get({ range, ...headers })
  expect([got.status, got.text, got.headers.get('content-range')]).toEqual([status, text, contentRange])
  if (status !== 304) expect(got.headers.get('content-length')).toBe(String(text.length))
})

verifies('served.ranges', 'a range outside the file is refused with its size', async () => {
  const { get } = await withFile()
  const got = await get({ range: 'bytes=26-' })
  expect([got.status, got.code, got.headers.get('content-range')]).toEqual([416, 'invalid_arg', 'bytes */26'])
  expect(got.headers.get('content-security-policy')).toContain('sandbox')
})

test('HEAD knows no ranges', async () => {
  const { get } = await withFile()
  const got = await get({ range: 'bytes=0-5' }, 'HEAD')
  expect([got.status, got.text, got.headers.get('content-length')]).toEqual([200, '', '26'])
})
