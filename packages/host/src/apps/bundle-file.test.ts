import { verifies } from '@svc/conformance/verifies'
import { describe, expect, test } from 'vitest'
import { type Pieces, wholeOf } from '../data/app-files/pieces.ts'
import type { Settings } from '../kernel/services.ts'
import { filesOf, testManifest, testServices } from '../testing/services.ts'
import { bundleFile, mediaTypeOf } from './bundle-file.ts'
import { preludeHash } from './prelude.ts'

const textOf = async (body: Pieces) => Buffer.from((await wholeOf(body)) ?? 'gone').toString()
const ORIGIN = 'http://127.0.0.1:8787'

/** A request of a bundle for a part of itself. */
const asked = {
  origin: ORIGIN,
  pages: [ORIGIN],
  ticket: null,
  ticketInPath: false,
  label: null,
  mode: 'cors',
  search: '',
  accept: null,
}

async function served(settings: Partial<Settings> = {}) {
  const services = testServices({ settings })
  const { app_id } = await services.apps.register('ada', { slug: 'notes', name: 'Notes' })
  const csp = { connect_src: ['https://api.site.org'], img_src: ['https://img.site.org'] }
  const { digest } = await services.apps.pushDraft('ada', app_id, {
    manifest: testManifest({ csp }),
    files: filesOf({ 'index.html': '<p>', 'a b/ü.js': 'x', ['__proto__']: 'p', 'logo.svg': '<svg/>' }),
  })
  const get = (path: string, request: Partial<Parameters<typeof bundleFile>[3]> = {}) =>
    bundleFile(services, digest, path, { ...asked, ...request })
  return { services, app_id, digest, get }
}

verifies(
  ['wall.bundle.csp', 'wall.bundle.cors', 'wall.bundle.digest', 'route.bundles'],
  'a file carries the wall around it',
  async () => {
    const { digest, get } = await served()
    const { status, headers, body } = await get('index.html')
    const folder = `${ORIGIN}/api/v1/svc-apps/bundles/${digest}/`
    expect(status).toBe(200)
    expect(await textOf(body)).toBe('<p>')
    expect(headers).toEqual({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cross-origin-embedder-policy': 'credentialless',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'timing-allow-origin': '*',
      vary: 'sec-fetch-mode',
      'content-security-policy': [
        'sandbox allow-scripts allow-forms',
        "default-src 'none'",
        `script-src ${folder} ${preludeHash} 'wasm-unsafe-eval'`,
        `worker-src blob: ${folder}`,
        `style-src ${folder} 'unsafe-inline'`,
        `img-src ${folder} ${ORIGIN}/api/v1/svc-apps/files/ data: blob:`,
        `font-src ${folder} data:`,
        `media-src ${folder} ${ORIGIN}/api/v1/svc-apps/files/ data: blob:`,
        `connect-src ${folder} ${ORIGIN}/api/v1/svc-apps/uploads/ data: blob:`,
        "form-action 'none'",
        "frame-src 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types default',
        `frame-ancestors ${ORIGIN}`,
        'report-uri /api/v1/svc-apps/reports',
      ].join('; '),
      'connection-allowlist': '(response-origin)',
      'permissions-policy': expect.stringMatching(/camera=\(\).*microphone=\(\).*usb=\(\)/),
      'x-dns-prefetch-control': 'off',
    })
  },
)

verifies('wall.bundle.inert', 'a file that is no HTML document does nothing on its own', async () => {
  const { get } = await served()
  for (const path of ['logo.svg', 'a%20b/%C3%BC.js', '__proto__'])
    expect((await get(path)).headers).toMatchObject({
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
      'connection-allowlist': '()',
    })
})

test('a second origin for bundles is named in the policy, and the host by its pages', async () => {
  const { digest, get } = await served({
    bundleOrigin: 'https://b.site.org',
    origins: ['https://app.site.org'],
  })
  const { headers } = await get('index.html', { origin: 'https://b.site.org', pages: [] })
  const policy = headers['content-security-policy']
  expect(policy).toContain(
    `script-src https://b.site.org/api/v1/svc-apps/bundles/${digest}/ ${preludeHash} 'wasm-unsafe-eval';`,
  )
  expect(headers['connection-allowlist']).toBe('(response-origin "https://app.site.org")')
  expect(policy).toContain(
    `connect-src https://b.site.org/api/v1/svc-apps/bundles/${digest}/ https://app.site.org/api/v1/svc-apps/uploads/ data: blob:;`,
  )
  expect(policy).toMatch(/frame-ancestors 'none';/)
})

test('the files of a draft stay when another one is pushed: a window may still load parts of it', async () => {
  const { services, app_id, get } = await served()
  await services.apps.install('ada', { app_id, version: '0.0.0-draft' })
  await services.windows.open('ada', { app_id })
  await services.apps.pushDraft('ada', app_id, {
    manifest: testManifest(),
    files: filesOf({ 'index.html': 'new' }),
  })
  expect(await textOf((await get('logo.svg')).body)).toBe('<svg/>')
})

describe('paths', () => {
  test.each([
    ['index.html', 'text/html; charset=utf-8'],
    ['a%20b/%C3%BC.js', 'text/javascript; charset=utf-8'],
    ['__proto__', 'application/octet-stream'],
    ['%6cogo.svg', 'image/svg+xml; charset=utf-8'],
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
    expect(JSON.parse(await textOf(body))).toEqual({
      error: { code: 'not_found', message: 'there is no such bundle file' },
    })
  })

  test.each(['', 'x', '0'.repeat(64), '__proto__', 'A'.repeat(64)])(
    'the digest %j is 404',
    async (digest) => {
      const { services } = await served()
      const reply = await bundleFile(services, digest, 'index.html', asked)
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
  ['x.webmanifest', 'application/manifest+json; charset=utf-8'],
  ['x.m4a', 'audio/mp4'],
  ['x.vtt', 'text/vtt; charset=utf-8'],
  ['x.exe', 'application/octet-stream'],
  ['x.', 'application/octet-stream'],
])('the type of %s is %s', (path, type) => expect(mediaTypeOf(path)).toBe(type))
