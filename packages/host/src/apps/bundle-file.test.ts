import { verifies } from '@svc/conformance/verifies'
import { describe, expect, test } from 'vitest'
import type { Settings } from '../house.ts'
import { bundleFile } from './bundle-file.ts'
import { mediaTypeOf } from './media-type.ts'
import { filesOf, testHouse, testManifest } from './test-house.ts'

const ORIGIN = 'http://127.0.0.1:8787'

async function served(settings: Partial<Settings> = {}) {
  const house = testHouse({ settings })
  const { app_id } = await house.apps.register('ada', { slug: 'notes', name: 'Notes' })
  const csp = { connect_src: ['https://api.site.org'], img_src: ['https://img.site.org'] }
  const { digest } = await house.apps.pushDraft('ada', app_id, {
    manifest: testManifest({ csp }),
    files: filesOf({ 'index.html': '<p>', 'a b/ü.js': 'x', ['__proto__']: 'p', 'logo.svg': '<svg/>' }),
  })
  const get = (path: string, request: Partial<Parameters<typeof bundleFile>[3]> = {}) =>
    bundleFile(house, digest, path, { origin: ORIGIN, pages: [ORIGIN], ...request })
  return { house, app_id, digest, get }
}

verifies(
  ['wall.bundle.csp', 'wall.bundle.cors', 'wall.bundle.digest', 'route.bundles'],
  'a file carries the wall around it',
  async () => {
    const { digest, get } = await served()
    const { status, headers, body } = await get('index.html')
    const folder = `${ORIGIN}/api/v1/svc-apps/bundles/${digest}/`
    expect(status).toBe(200)
    expect(Buffer.from(body).toString()).toBe('<p>')
    expect(headers).toEqual({
      'content-type': 'text/html; charset=utf-8',
      'content-length': '3',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': [
        'sandbox allow-scripts',
        "default-src 'none'",
        `script-src ${folder}`,
        `style-src ${folder} 'unsafe-inline'`,
        `img-src ${folder} ${ORIGIN}/api/v1/svc-apps/files/ data: blob: https://img.site.org`,
        `connect-src ${ORIGIN}/api/v1/svc-apps/uploads/ https://api.site.org`,
        "form-action 'none'",
        "frame-src 'none'",
        `frame-ancestors ${ORIGIN}`,
      ].join('; '),
    })
  },
)

test('a second origin for bundles is named in the policy, and the host by its pages', async () => {
  const { digest, get } = await served({
    bundleOrigin: 'https://b.site.org',
    origins: ['https://app.site.org'],
  })
  const { headers } = await get('index.html', { origin: 'https://b.site.org', pages: [] })
  const policy = headers['content-security-policy']
  expect(policy).toContain(`script-src https://b.site.org/api/v1/svc-apps/bundles/${digest}/;`)
  expect(policy).toContain('connect-src https://app.site.org/api/v1/svc-apps/uploads/ ')
  expect(policy).toMatch(/frame-ancestors 'none'$/)
})

test('the files of a draft stay when another one is pushed: a window may still load parts of it', async () => {
  const { house, app_id, get } = await served()
  await house.apps.pushDraft('ada', app_id, {
    manifest: testManifest(),
    files: filesOf({ 'index.html': 'new' }),
  })
  expect(Buffer.from((await get('logo.svg')).body).toString()).toBe('<svg/>')
})

describe('paths', () => {
  test.each([
    ['index.html', 'text/html; charset=utf-8'],
    ['a%20b/%C3%BC.js', 'text/javascript; charset=utf-8'],
    ['__proto__', 'application/octet-stream'],
    ['%6cogo.svg', 'image/svg+xml'],
  ])('%s is there', async (path, type) => {
    const { get } = await served()
    const { status, headers } = await get(path)
    expect([status, headers['content-type']]).toEqual([200, type])
  })

  verifies.each('wall.bundle.traversal')([
    [''],
    ['nothing.js'],
    ['INDEX.html'],
    ['manifest.json'],
    ['constructor'],
    ['../index.html'],
    ['a%20b%2f%C3%BC.js'],
    ['a%20b/..%2findex.html'],
    ['a%20b/../index.html'],
    ['%2e%2e/index.html'],
    ['..%5cindex.html'],
    ['index.html%00'],
    ['index.html/'],
    ['./index.html'],
    ['%'],
    ['%ff'],
    ['%252e%252e/index.html'],
  ])('%j is 404', async (path) => {
    const { get } = await served()
    const { status, headers, body } = await get(path)
    expect(status).toBe(404)
    expect(headers['cache-control']).toBe('no-store')
    expect(JSON.parse(Buffer.from(body).toString())).toEqual({
      error: { code: 'not_found', message: 'there is no such bundle file' },
    })
  })

  test.each(['', 'x', '0'.repeat(64), '__proto__', 'A'.repeat(64)])(
    'the digest %j is 404',
    async (digest) => {
      const { house } = await served()
      const reply = await bundleFile(house, digest, 'index.html', { origin: ORIGIN, pages: [] })
      expect(reply.status).toBe(404)
    },
  )

  test.each(['http://a;script-src', 'http://a b', 'null', 'http://a,b', "http://a'"])(
    'the origin %j gets into no policy',
    async (origin) => {
      const { get } = await served()
      expect((await get('index.html', { origin })).status).toBe(404)
    },
  )
})

test.each([
  ['a/b.HTML', 'text/html; charset=utf-8'],
  ['x.mjs', 'text/javascript; charset=utf-8'],
  ['x.css', 'text/css; charset=utf-8'],
  ['x.js.map', 'application/json; charset=utf-8'],
  ['x.woff2', 'font/woff2'],
  ['x.wasm', 'application/wasm'],
  ['dir.html/x', 'application/octet-stream'],
  ['.html', 'text/html; charset=utf-8'],
  ['x.exe', 'application/octet-stream'],
  ['x.', 'application/octet-stream'],
])('the type of %s is %s', (path, type) => expect(mediaTypeOf(path)).toBe(type))
