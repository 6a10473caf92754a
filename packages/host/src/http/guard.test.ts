import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { openGuard } from './guard.ts'
import { paths } from './paths.ts'

const guard = openGuard({ origins: ['https://app.site.org'], bundleOrigin: 'https://bundles.site.org' })
const head = (host: string | undefined, origin?: string, url = '/api/v1/svc-apps/windows') => ({
  method: 'POST',
  url,
  get: (name: string) => ({ host, origin })[name],
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
    ['bundles.site.org', '/', false],
    ['app.site.org.evil.example', undefined, false],
    ['localhost.evil.example', undefined, false],
    ['127.0.0.1:123456', undefined, false],
    ['', undefined, false],
    [undefined, undefined, false],
  ])('Host %s at %s: served is %s', (host, url, served) => {
    expect(guard.host(head(host, undefined, url)) === null).toBe(served)
  })

  verifies.each('wall.bundle.second_origin')<[string, string | undefined, boolean]>([
    ['app.site.org', 'https://app.site.org', true],
    ['127.0.0.1:8787', 'http://127.0.0.1:8787', true],
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
    expect(guard.pages(head('127.0.0.1:8787'))).toEqual(['https://app.site.org', 'http://127.0.0.1:8787'])
  })
})
