import { verifies } from '@svc/conformance/verifies'
import { cookieAt, SIGN_IN_COOKIE } from '@svc/contract'
import { describe, expect, it } from 'vitest'
import { bundlePolicy } from '../apps/bundle-policy.ts'
import { openGuard } from './guard.ts'

interface Way {
  /** What `createHost({ origins })` has. */
  readonly listed?: readonly string[]
  readonly host: string
  /** The page's, which its browser sends with a POST. */
  readonly origin: string
  /** `Sec-Fetch-Site`, which browsers send to https and to this machine. */
  readonly site?: 'same-origin' | 'same-site' | 'cross-site'
}

interface Seen {
  /** What refuses the opening of a window; nothing: it shows its app. */
  readonly refused?: RegExp
  /** Where uploads and images are said to be. */
  readonly base?: string
  /** Origins at which a policy names the folder of the app. */
  readonly folders?: readonly string[]
  readonly framedBy?: readonly string[]
  readonly cookie?: string
}

const APPS = 'https://apps.site.org'
const INNER = '127.0.0.1:8787'
const OUTER = 'https://*.portal.org'

function judge({ listed = [], host, origin, site }: Way): Omit<Seen, 'refused'> & { readonly said?: string } {
  const settings = { origins: listed, bundleOrigin: null, basePath: '', frameAncestors: [OUTER] }
  const guard = openGuard(settings)
  const headers = (own?: string): Record<string, string | undefined> => ({
    host,
    origin: own,
    'sec-fetch-site': site,
  })
  const head = (own?: string) => ({
    method: 'POST',
    url: '/api/v1/svc-apps/windows',
    get: (name: string) => headers(own)[name],
    request: () => new Request('http://localhost/'),
  })
  const posted = head(origin)
  const refusal = guard.host(posted) ?? guard.origin(posted) ?? guard.opening(posted)
  if (refusal) return { said: `${refusal.message} ${refusal.details?.hint}` }
  const navigated = head()
  const shows = { label: null, ticket: null, ticketInPath: false, mode: 'navigate', search: '', accept: null }
  const granted = { connect_src: [], img_src: [], browser: [] }
  const { 'content-security-policy': policy = '' } = bundlePolicy(settings, 'digest', 'text/html', granted, {
    ...shows,
    origin: guard.own(navigated),
    also: guard.also(navigated),
    pages: guard.pages(navigated),
  })
  const sources = (name: string) => new RegExp(`${name} ([^;]*)`).exec(policy)?.[1]?.split(' ') ?? []
  return {
    base: guard.base(posted),
    folders: sources('script-src').flatMap((one) => /^(.*)\/api\/.*digest\/$/.exec(one)?.[1] ?? []),
    framedBy: sources('frame-ancestors').filter((one) => one !== OUTER),
    cookie: cookieAt(SIGN_IN_COOKIE, host),
  }
}

describe('the address of a page, for policy, framing, URLs and cookies alike', () => {
  verifies.each('reach.address')<[name: string, way: Way, seen: Seen]>([
    [
      'on one machine',
      { host: INNER, origin: `http://${INNER}`, site: 'same-origin' },
      {
        base: `http://${INNER}`,
        folders: [`http://${INNER}`],
        framedBy: [`http://${INNER}`],
        cookie: 'svc_signin_8787',
      },
    ],
    [
      'TLS before it, which passes Host on',
      { listed: [APPS], host: 'apps.site.org', origin: APPS, site: 'same-origin' },
      { base: APPS, folders: [APPS], framedBy: [APPS], cookie: 'svc_signin' },
    ],
    [
      'TLS before it on one machine, nothing listed: http in a policy lets https in',
      { host: 'localhost:8443', origin: 'https://localhost:8443', site: 'same-origin' },
      {
        base: 'https://localhost:8443',
        folders: ['http://localhost:8443'],
        framedBy: ['http://localhost:8443'],
      },
    ],
    [
      'both twins listed',
      {
        listed: ['http://apps.site.org', APPS],
        host: 'apps.site.org',
        origin: 'http://apps.site.org',
      },
      { base: 'http://apps.site.org', folders: ['http://apps.site.org'] },
    ],
    [
      'Host rewritten to the inner address, the page listed',
      { listed: [APPS], host: INNER, origin: APPS, site: 'same-origin' },
      { base: APPS, folders: [`http://${INNER}`, APPS], framedBy: [APPS, `http://${INNER}`] },
    ],
    [
      'the same over plain http, where a browser says less',
      { listed: ['http://apps.lan'], host: INNER, origin: 'http://apps.lan' },
      { base: `http://${INNER}`, folders: [`http://${INNER}`, 'http://apps.lan'] },
    ],
    [
      'Host without its port on this machine, the page listed',
      {
        listed: ['http://localhost:8443'],
        host: 'localhost',
        origin: 'http://localhost:8443',
        site: 'same-origin',
      },
      { base: 'http://localhost:8443', folders: ['http://localhost', 'http://localhost:8443'] },
    ],
    [
      'a page of another site',
      { listed: [APPS, 'https://host.net'], host: 'host.net', origin: APPS, site: 'cross-site' },
      { base: 'https://host.net', folders: ['https://host.net'], framedBy: [APPS, 'https://host.net'] },
    ],
    [
      'a page of another site, the host on this machine',
      { listed: ['http://localhost:3000'], host: INNER, origin: 'http://localhost:3000', site: 'cross-site' },
      { base: `http://${INNER}`, folders: [`http://${INNER}`] },
    ],
    [
      'Host rewritten to another listed one',
      { listed: [APPS, 'https://inner.org'], host: 'inner.org', origin: APPS, site: 'same-origin' },
      { refused: /the page is at https:\/\/apps\.site\.org, .*Host: inner\.org .*proxy_set_header Host/ },
    ],
    [
      'Host rewritten, nothing listed',
      { host: INNER, origin: APPS, site: 'same-origin' },
      { refused: /Origin must be a page of this host, got "https:\/\/apps\.site\.org" Name the page in/ },
    ],
    [
      'Host without its port',
      { listed: ['https://apps.site.org:8443'], host: 'apps.site.org', origin: 'https://apps.site.org:8443' },
      { refused: /https:\/\/apps\.site\.org:8443 is listed, and Host came without its port/ },
    ],
    [
      'the plain twin of a listed page',
      { listed: [APPS], host: 'apps.site.org', origin: 'http://apps.site.org' },
      { refused: /createHost\({ origins }\) lists https:\/\/apps\.site\.org: open the page there/ },
    ],
    [
      'an IPv6 loopback',
      { host: '[::1]:8787', origin: 'http://[::1]:8787', site: 'same-origin' },
      { refused: /no app can be shown in a page at .* open the page at localhost, 127\.0\.0\.1 or a name/ },
    ],
    [
      'an outer page, which may frame and ask for nothing',
      { listed: [APPS], host: 'apps.site.org', origin: 'https://www.portal.org', site: 'cross-site' },
      { refused: /Origin must be a page of this host/ },
    ],
  ])('%s', (_name, way, { refused, ...seen }) => {
    const judged = judge(way)
    if (refused) expect(judged.said).toMatch(refused)
    else expect(judged).toMatchObject(seen)
  })

  it('takes no socket where nothing says where the page sees the host', () => {
    const guard = openGuard({ origins: [APPS, 'https://host.net'], bundleOrigin: null, basePath: '' })
    const unclear = (host: string, origin: string, site?: string) =>
      guard.isUnclear({
        method: 'GET',
        url: '/',
        get: (name) => ({ host, origin, 'sec-fetch-site': site })[name],
        request: () => new Request('http://localhost/'),
      })
    expect(unclear(INNER, APPS)).toBe(true)
    expect(unclear(INNER, APPS, 'same-origin')).toBe(false)
    expect(unclear(INNER, `http://${INNER}`)).toBe(false)
    expect(unclear('host.net', APPS)).toBe(false)
  })
})
