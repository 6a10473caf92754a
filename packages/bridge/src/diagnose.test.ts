import { verifies } from '@svc/conformance/verifies'
import { afterEach, expect, vi } from 'vitest'
import { diagnose, type Seen } from './diagnose.ts'

afterEach(() => vi.unstubAllGlobals())

const URL_OF = 'https://host.site.org/api/v1/svc-apps/bundles/0a/index.html'
const HOSTS = 'sandbox allow-scripts allow-forms; frame-ancestors'

/** A page of an origin, with those around it, that saw nothing of a document. */
function seen(own: string, around: readonly string[] = [], more: Partial<Seen> = {}): Seen {
  const { origin, protocol } = new URL(own)
  const performance = { getEntriesByName: () => [] }
  const view = { origin, location: { ancestorOrigins: around }, crossOriginIsolated: false, performance }
  const page = { defaultView: view, location: { origin, protocol }, URL: own, ...new EventTarget() }
  const [addEventListener, removeEventListener] = [() => {}, () => {}]
  const document = { ...page, addEventListener, removeEventListener } as unknown as Document
  return {
    page: document,
    entry: URL_OF,
    url: URL_OF,
    sinceMs: 0,
    came: false,
    isRefused: false,
    hasBegun: false,
    over: new AbortController().signal,
    later() {},
    fail() {},
    ...more,
  }
}

/** What is found where every request has this answer. */
async function found(status: number, headers: Record<string, string>, about: Seen, html = '') {
  vi.stubGlobal('fetch', async () => new Response(html, { status, headers }))
  const [reason = null, , more] = (await diagnose(about)) ?? []
  return [reason, more?.hint ?? '']
}

verifies.each('wall.frame.reason')([
  ['its own origin', "'self'", 'https://host.site.org/', [], null],
  ['an origin of the list', 'https://a.org https://b.org', 'https://b.org/', [], null],
  ['another port', 'https://b.org', 'https://b.org:444/', [], null],
  ['a wildcard', 'https://*.b.org', 'https://x.b.org/', [], null],
  ['a stranger to a wildcard', 'https://*.b.org', 'https://x.c.org/', [], 'framing'],
  ['nobody', "'none'", 'https://b.org/', [], 'framing'],
  ['the page alone, in another one', 'https://b.org', 'https://b.org/', ['https://outer.org'], 'framing'],
  ['both', 'https://b.org https://outer.org', 'https://b.org/', ['https://outer.org'], null],
])('judges frame-ancestors: %s', async (_, sources, page, around, reason) => {
  const policy = `${HOSTS} ${sources}`
  const told = await found(200, { 'content-security-policy': policy }, seen(page, around))
  expect(told[0]).toBe(reason)
  if (reason)
    expect(told[1]).toContain(`list ${around[0] ?? new URL(page).origin} in the origins of the host`)
})

const html = `<!doctype html><script type="module" src="./app.js"></script>`
const isHosts = { 'content-security-policy': `${HOSTS} https://b.org`, 'content-type': 'text/html' }
verifies.each('wall.frame.reason')([
  ['an address of http in a page of https', { url: 'http://host.site.org/x' }, 'mixed', 'https://b.org'],
  ['an address of http on this machine', { url: 'http://a.localhost/x' }, null, ''],
  ['a script that is a page', { hasBegun: true }, 'script', './app.js'],
  [
    'a frame that the page refused',
    { isRefused: true },
    'csp',
    'frame-src https://host.site.org/api/v1/svc-apps/bundles/',
  ],
] as const)('names the reason: %s', async (_, more, reason, hint) => {
  const told = await found(200, isHosts, seen('https://b.org/', [], more), html)
  expect(told).toEqual([reason, expect.stringContaining(hint)])
})
