import { verifies } from '@svc/conformance/verifies'
import { describe, expect, test } from 'vitest'
import { wholeOf } from '../data/app-files/pieces.ts'
import { labelOf } from '../kernel/request/bundle-origin.ts'
import { filesOf, installedDraft, testManifest, testServices } from '../testing/services.ts'
import { bundleFile } from './bundle-file.ts'

const ORIGIN = 'http://127.0.0.1:8787'
const files = filesOf({
  'index.html': '<p>',
  'more.html': '<b>',
  'logo.svg': '<svg/>',
  'page.xhtml': '<a/>',
  'list.xml': '<a/>',
  'app.js': '1',
})

/** Ada's window of an app, another window of it, and one of another app. */
async function windows(bundle: object = {}) {
  const services = testServices()
  const app = await installedDraft(services)
  const manifest = testManifest({ bundle: { entry: 'index.html', ...bundle } })
  const { digest } = await services.apps.pushDraft('ada', app.app_id, { manifest, files })
  const other = await services.apps.register('ada', { slug: 'bank', name: 'Bank' })
  const bank = await services.apps.pushDraft('ada', other.app_id, {
    manifest: testManifest({ bundle: { entry: 'more.html' } }),
    files,
  })
  await services.apps.install('ada', { app_id: other.app_id, version: bank.version })
  const ticketOf = async (appId: string) => {
    const { entry_url, window_uuid } = await services.windows.open('ada', { app_id: appId })
    const { pathname, searchParams } = new URL(entry_url, ORIGIN)
    return {
      window_uuid,
      entry_url,
      ticket: searchParams.get('window') ?? pathname.split('/').at(-2)?.split('~')[1] ?? null,
    }
  }
  const own = await ticketOf(app.app_id)
  const ofBank = await ticketOf(other.app_id)
  const get = (path: string, request: object) =>
    bundleFile(services, digest, path, {
      origin: ORIGIN,
      pages: [ORIGIN],
      ticket: own.ticket,
      ticketInPath: false,
      label: null,
      mode: 'navigate',
      search: '',
      accept: null,
      ...request,
    })
  return { services, app, own, ofBank, get, digest }
}

describe('a document of a bundle', () => {
  verifies.each('wall.bundle.window')<
    [
      what: string,
      path: string,
      request: (made: Awaited<ReturnType<typeof windows>>) => object,
      status: number,
    ]
  >([
    ['its own window', 'index.html', () => ({}), 200],
    ['its own window in a browser that says no mode', 'index.html', () => ({ mode: null }), 200],
    [
      'its own window at the origin of its app',
      'index.html',
      ({ app }) => ({ label: labelOf(app.app_id) }),
      200,
    ],
    ['nobody', 'index.html', () => ({ ticket: null }), 403],
    ['nobody in a browser that says no mode', 'index.html', () => ({ ticket: null, mode: null }), 403],
    ['the window of another app', 'index.html', ({ ofBank }) => ({ ticket: ofBank.ticket }), 403],
    ['its own window at the origin of another app', 'index.html', () => ({ label: labelOf('app_x') }), 403],
    ['its own window at the origin of none, where each has one', 'index.html', () => ({ label: '' }), 403],
    ['a forged ticket', 'index.html', ({ own }) => ({ ticket: `${own.window_uuid}.${'A'.repeat(22)}` }), 403],
    ['a ticket of no form', 'index.html', () => ({ ticket: '__proto__' }), 403],
    ['nobody, another page', 'more.html', () => ({ ticket: null }), 403],
    ['nobody, an image on its own', 'logo.svg', () => ({ ticket: null }), 403],
    ['nobody, a script on its own', 'app.js', () => ({ ticket: null }), 200],
    ['a part of a page: an image', 'logo.svg', () => ({ ticket: null, mode: 'no-cors' }), 200],
    ['a part of a page: a template', 'more.html', () => ({ ticket: null, mode: 'cors' }), 200],
    [
      'a part of a page in a browser that says no mode',
      'logo.svg',
      () => ({ ticket: null, mode: null }),
      200,
    ],
  ])('%s: %s', async (_what, path, request, status) => {
    const made = await windows()
    expect((await made.get(path, request(made))).status).toBe(status)
  })

  verifies(
    'wall.bundle.window',
    'is served no longer when its window is closed, once no frame loads',
    async () => {
      const { services, own, get } = await windows()
      await services.windows.close('ada', own.window_uuid, null)
      expect((await get('index.html', {})).status).toBe(200)
      await services.clock.advance(services.limits.FRAME_LOAD_MS)
      expect((await get('index.html', {})).status).toBe(403)
    },
  )

  verifies('wall.bundle.frame', 'says to its prelude for which window it is', async () => {
    const { own, get } = await windows()
    const textOf = async (request: object) =>
      Buffer.from((await wholeOf((await get('index.html', request)).body)) ?? '').toString()
    expect(await textOf({})).toContain(`<script data-window="${own.window_uuid}">`)
    expect(await textOf({ mode: 'cors' })).toBe('<p>')
  })

  verifies.each('wall.bundle.first')([
    ['logo.svg', 'navigate', 'text/plain; charset=utf-8'],
    ['page.xhtml', 'navigate', 'text/plain; charset=utf-8'],
    ['list.xml', 'navigate', 'text/plain; charset=utf-8'],
    ['logo.svg', 'no-cors', 'image/svg+xml; charset=utf-8'],
    ['list.xml', 'cors', 'application/xml; charset=utf-8'],
  ])('of XML is shown as its text: %s, %s', async (path, mode, type) => {
    const { get } = await windows()
    const { status, headers } = await get(path, { mode })
    expect([status, headers['content-type'], headers.vary]).toEqual([200, type, 'sec-fetch-mode'])
  })

  test('is kept by no cache, while the parts of it are the same for all windows', async () => {
    const { get } = await windows()
    expect((await get('index.html', {})).headers['cache-control']).toBe('no-store')
    expect((await get('app.js', { mode: 'no-cors', ticket: null })).headers['cache-control']).toContain(
      'immutable',
    )
  })

  test('has its ticket in the path where the manifest says that it has several pages', async () => {
    const { own, get, digest } = await windows({ multi_page: true })
    expect(own.entry_url).toBe(`/api/v1/svc-apps/bundles/${digest}~${own.ticket}/index.html`)
    const { status, headers } = await get('more.html', { ticketInPath: true })
    expect(status).toBe(200)
    const folder = `${ORIGIN}/api/v1/svc-apps/bundles/${digest}`
    expect(headers['content-security-policy']).toContain(`script-src ${folder}/ ${folder}~${own.ticket}/ `)
  })

  const declared = { connect_src: ['https://api.site.org'], img_src: ['https://img.site.org:8443'] }
  verifies.each('install.grants.egress')([
    ['nothing', {}, [], []],
    ['what it declares', declared, ['https://api.site.org'], ['https://img.site.org:8443']],
    ['one of the two', { img_src: declared.img_src }, [], ['https://img.site.org:8443']],
    ['what it does not declare', { connect_src: ['https://other.site.org'] }, [], []],
    ['the one for the other', { connect_src: declared.img_src, img_src: declared.connect_src }, [], []],
  ])('reaches what its user allowed: %s', async (_, grants, connect, img) => {
    const services = testServices()
    const { app_id } = await services.apps.register('ada', { slug: 'notes', name: 'Notes' })
    const manifest = testManifest({ csp: declared })
    const { digest, version } = await services.apps.pushDraft('ada', app_id, { manifest, files })
    await services.apps.install('ada', { app_id, version, grants })
    const { entry_url } = await services.windows.open('ada', { app_id })
    const ticket = new URL(entry_url, ORIGIN).searchParams.get('window')
    const from = { origin: ORIGIN, pages: [ORIGIN], ticket, ticketInPath: false, label: null }
    const request = { ...from, search: '', accept: null }
    const document = { ...request, mode: 'navigate' }
    const { headers } = await bundleFile(services, digest, 'index.html', document)
    const search = `?window=${ticket}&isolated`
    const isolated = await bundleFile(services, digest, 'index.html', { ...document, search })
    const policies = [headers, isolated.headers].map((one) => one['cross-origin-embedder-policy'])
    expect(policies).toEqual(['credentialless', img.length > 0 ? 'credentialless' : 'require-corp'])
    const policy = headers['content-security-policy'] ?? ''
    const sources = (name: string) =>
      policy
        .split('; ')
        .find((one) => one.startsWith(name))
        ?.split(' ')
        .filter((one) => one.startsWith('https:'))
    expect([sources('connect-src'), sources('img-src')]).toEqual([connect, img])
    const reached = [...connect, ...img].map((one) => ` "${one}"`).join('')
    expect(headers['connection-allowlist']).toBe(`(response-origin${reached})`)
  })
})
