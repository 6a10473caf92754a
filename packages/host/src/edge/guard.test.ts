import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { labelOf } from '../kernel/request/bundle-origin.ts'
import { paths } from '../kernel/request/paths.ts'
import { openGuard } from './guard.ts'

const guard = openGuard({
  origins: ['https://app.site.org'],
  bundleOrigin: 'https://bundles.site.org',
  basePath: '/svc',
})
const head = (
  host: string | undefined,
  origin?: string,
  url = '/api/v1/svc-apps/windows',
  agent?: string,
) => ({
  method: 'POST',
  url,
  get: (name: string) => ({ host, origin, 'user-agent': agent })[name],
  request: () => new Request('http://localhost/'),
})

describe('the guard', () => {
  verifies.each('wall.bundle.second_origin')<[string | undefined, string | undefined, boolean]>([
    ['localhost', undefined, true],
    ['127.0.0.1:8787', undefined, true],
    ['[::1]:8787', undefined, true],
    ['app.site.org', undefined, true],
    ['bundles.site.org', undefined, false],
    ['bundles.site.org', `${paths.bundles}abc/index.html`, true],
    ['bundles.site.org', `/svc${paths.bundles}abc/index.html`, true],
    ['bundles.site.org', `/other${paths.bundles}abc/index.html`, false],
    ['bundles.site.org', '/', false],
    ['app.site.org.evil.example', undefined, false],
    ['localhost.evil.example', undefined, false],
    ['127.0.0.1:123456', undefined, false],
    ['', undefined, false],
    [undefined, undefined, false],
  ])('Host %s at %s: served is %s', (host, url, served) => {
    expect(guard.host(head(host, undefined, url)) === null).toBe(served)
  })

  verifies.each(['wall.bundle.second_origin', 'wall.origin.twin'])<[string, string | undefined, boolean]>([
    ['app.site.org', 'https://app.site.org', true],
    ['app.site.org', 'http://app.site.org', false],
    ['127.0.0.1:8787', 'http://127.0.0.1:8787', true],
    ['127.0.0.1:8787', 'https://127.0.0.1:8787', true],
    ['127.0.0.1:8787', 'https://app.site.org', true],
    ['127.0.0.1:8787', 'http://127.0.0.1:9999', false],
    ['127.0.0.1:8787', 'https://bundles.site.org', false],
    ['127.0.0.1:8787', 'null', false],
    ['127.0.0.1:8787', undefined, false],
  ])('at %s the Origin %s: taken is %s', (host, origin, taken) => {
    expect(guard.origin(head(host, origin)) === null).toBe(taken)
  })

  it('knows its own origin by the Host, with the scheme of a listed page', () => {
    expect(guard.own(head('app.site.org'))).toBe('https://app.site.org')
    expect(guard.own(head('127.0.0.1:8787'))).toBe('http://127.0.0.1:8787')
    expect(guard.base(head('127.0.0.1:8787'))).toBe('http://127.0.0.1:8787/svc')
    expect(guard.pages(head('127.0.0.1:8787'))).toEqual(['https://app.site.org', 'http://127.0.0.1:8787'])
  })
})

describe('the guard of a host that gives each app an origin of its own', () => {
  const label = labelOf('app_notes')
  const bundle = `${paths.bundles}abc/index.html`
  const CHROMIUM = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
  const SAFARI =
    'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15'
  const everywhere = openGuard({
    origins: ['https://app.site.org'],
    bundleOrigin: 'https://{app}.bundles.site.org',
    basePath: '',
  })
  const here = openGuard({ origins: [], bundleOrigin: 'http://{app}.localhost:{port}', basePath: '' })

  verifies.each('wall.bundle.apart')<[host: string, url: string, served: boolean]>([
    [`${label}.bundles.site.org`, bundle, true],
    [`${label}.bundles.site.org`, '/api/v1/svc-apps/windows', false],
    [`${label}.bundles.site.org`, '/', false],
    ['other.bundles.site.org', bundle, false],
    ['bundles.site.org', bundle, false],
    [`${label}.localhost:8787`, bundle, false],
    ['app.site.org', '/', true],
  ])('Host %s at %s: served is %s', (host, url, served) => {
    expect(everywhere.host(head(host, undefined, url)) === null).toBe(served)
  })

  verifies.each('wall.bundle.apart')<[host: string, url: string, served: boolean]>([
    [`${label}.localhost:8787`, bundle, true],
    [`${label}.localhost:8787`, '/api/v1/auth/dev-login', false],
    ['notes.localhost:8787', bundle, false],
    ['127.0.0.1:8787', '/api/v1/auth/dev-login', true],
  ])('on one machine Host %s at %s: served is %s', (host, url, served) => {
    expect(here.host(head(host, undefined, url)) === null).toBe(served)
  })

  it('takes no Origin of an app for that of a page', () => {
    const origin = `http://${label}.localhost:8787`
    expect(here.origin(head('127.0.0.1:8787', origin))?.code).toBe('permission_denied')
  })

  it('wants documents at the origin of their app, on one machine also at its own', () => {
    const of = (host: string) => head(host, undefined, bundle)
    expect(everywhere.label(of(`${label}.bundles.site.org`))).toBe(label)
    expect(everywhere.label(of('app.site.org'))).toBe('')
    expect(here.label(of(`${label}.localhost:8787`))).toBe(label)
    expect(here.label(of(`${label}-2.localhost:8787`))).toBe(label)
    expect(here.own(of(`${label}-2.localhost:8787`))).toBe(`http://${label}-2.localhost:8787`)
    expect(here.label(of('127.0.0.1:8787'))).toBe(null)
    expect(guard.label(of('bundles.site.org'))).toBe(null)
  })

  it.each<[host: string, agent: string | undefined, own: string, all: string]>([
    ['127.0.0.1:9000', CHROMIUM, `http://${label}.localhost:9000`, 'http://*.localhost:9000'],
    ['localhost:9000', CHROMIUM, `http://${label}.localhost:9000`, 'http://*.localhost:9000'],
    ['localhost', CHROMIUM, `http://${label}.localhost`, 'http://*.localhost'],
    // What does not look these names up by itself, and a page that came another way, keep the origin of the host.
    ['127.0.0.1:9000', SAFARI, '', 'http://127.0.0.1:9000'],
    ['127.0.0.1:9000', undefined, '', 'http://127.0.0.1:9000'],
    ['[::1]:9000', CHROMIUM, '', 'http://[::1]:9000'],
  ])('a page at %s in %s has an app at %s', (host, agent, own, all) => {
    const page = head(host, undefined, '/', agent)
    expect(here.entryUrl(page, 'app_notes', '/x')).toBe(`${own}/x`)
    expect(here.bundles(page)).toBe(all)
  })

  it('leaves an address that is whole, and one that is not there', () => {
    const page = head('127.0.0.1:9000', undefined, '/', CHROMIUM)
    expect(here.entryUrl(page, 'app_notes', 'https://x.site.org/x')).toBe('https://x.site.org/x')
    expect(here.entryUrl(page, 'app_notes', null)).toBe(null)
    expect(everywhere.bundles(head('app.site.org'))).toBe('https://*.bundles.site.org')
  })

  it('lets the pages frame an app, which is none itself', () => {
    const at = (host: string) => head(host, undefined, bundle)
    expect(everywhere.pages(at(`${label}.bundles.site.org`))).toEqual(['https://app.site.org'])
    expect(here.pages(at(`${label}.localhost:9000`))).toEqual([
      'http://localhost:9000',
      'http://127.0.0.1:9000',
    ])
  })
})
