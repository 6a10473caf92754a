import { openTestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { expect, it, onTestFinished } from 'vitest'

const PAGE = 'https://app.site.org'
const WINDOWS = '/api/v1/svc-apps/windows'
const RPC = '/api/v1/svc-apps/runtime/rpc'
const EVENTS = '/api/v1/svc-apps/runtime/events'

async function open() {
  const host = await openTestHost({
    origins: [PAGE, 'https://host.net'],
    pageTokens: { secret: 's'.repeat(32) },
  })
  onTestFinished(() => host.close())
  return (path: string, method: string, origin: string | null, asks?: string) =>
    host.host.fetch(
      new Request(`https://host.net${path}`, {
        method,
        headers: {
          ...(origin !== null && { origin }),
          ...(asks && { 'access-control-request-method': asks }),
        },
      }),
    )
}

verifies.each('route.cors')<[path: string, asks: string]>([
  [WINDOWS, 'POST'],
  [`${WINDOWS}/win_1/token`, 'POST'],
  [`${WINDOWS}/win_1?reason=x`, 'DELETE'],
  [RPC, 'POST'],
  [EVENTS, 'GET'],
])('a listed page of another site may ask %s by %s; no other may', async (path, asks) => {
  const ask = await open()
  const { status, headers } = await ask(path, 'OPTIONS', PAGE, asks)
  expect([status, Object.fromEntries(headers)]).toEqual([
    204,
    {
      'access-control-allow-origin': PAGE,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'retry-after',
      'access-control-allow-methods': expect.stringContaining(asks),
      'access-control-allow-headers': 'authorization, content-type, last-event-id, x-svc-app-token',
      'access-control-max-age': '7200',
      vary: 'origin',
    },
  ])
  for (const origin of [
    'https://evil.example',
    'null',
    'https://app.site.org.evil.example',
    'http://app.site.org',
    null,
  ])
    expect([...(await ask(path, 'OPTIONS', origin, asks)).headers.keys()].join()).not.toContain(
      'access-control',
    )
})

verifies.each('route.cors')<[path: string, method: string, status: number]>([
  [WINDOWS, 'GET', 401],
  [WINDOWS, 'POST', 401],
  [RPC, 'POST', 401],
  [EVENTS, 'GET', 401],
  ['/api/v1/nowhere', 'GET', 404],
  [WINDOWS, 'PATCH', 405],
])('a listed page may read why %s refuses %s', async (path, method, status) => {
  const response = await (await open())(path, method, PAGE)
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([status, PAGE])
  expect(response.headers.get('vary')).toBe('origin')
})

it('says nothing of it to a page of its own, and the same as ever where any page may read', async () => {
  const ask = await open()
  const own = await ask(WINDOWS, 'GET', 'https://host.net')
  expect(own.headers.has('access-control-allow-origin')).toBe(false)
  const { headers } = await ask(`/api/v1/svc-apps/bundles/${'0'.repeat(64)}/x.js`, 'GET', PAGE)
  expect([
    headers.get('access-control-allow-origin'),
    headers.get('access-control-allow-credentials'),
  ]).toEqual(['*', null])
})
