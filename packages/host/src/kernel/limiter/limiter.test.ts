import { verifies } from '@svc/conformance/verifies'
import { type Limits, limits, methodRows, rates } from '@svc/contract'
import { rateOf, routeRows } from '@svc/contract/routes'
import { describe, expect, it } from 'vitest'
import { API, openRoutes, withApp } from '../../testing/routes.ts'

const one = { RATE_APP_PERCENT: 100, RATE_HOST_TIMES: 1 }
const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } })
const there = { cookie: null, env: from('9.9.9.9') }

describe('a route', () => {
  verifies(
    ['load.rate.refused', 'load.rate.address'],
    'past its rate is 429 with the time to wait',
    async () => {
      const { services, send } = await openRoutes({
        limits: { ...one, RATE_PUBLIC_PER_SECOND: 2, RATE_PUBLIC_BURST: 1 },
      })
      expect((await send('/healthz', there)).status).toBe(200)
      const refused = await send('/healthz', there)
      expect(refused.status).toBe(429)
      expect(refused.headers.get('retry-after')).toBe('1')
      expect(refused.json).toEqual({
        error: {
          code: 'rate_limited',
          message: 'too many requests of an address in the class public',
          details: {
            retriable: true,
            rate: 'public',
            by: 'address',
            retry_after_ms: 500,
            hint: 'Wait 500 ms. The operator sets RATE_PUBLIC_PER_SECOND and RATE_PUBLIC_BURST.',
          },
        },
      })
      await services.clock.advance(500)
      expect((await send('/healthz', there)).status).toBe(200)
      expect(await (await services.metrics.registry()).metrics()).toContain(
        'svc_rate_limited_total{rate="public",by="address"} 1',
      )
    },
  )

  verifies('load.rate.address', 'of many addresses together has a rate too', async () => {
    const { send } = await openRoutes({ limits: { RATE_HOST_TIMES: 3, RATE_PUBLIC_BURST: 1 } })
    const answers = [1, 2, 3, 4].map((n) => send('/healthz', { cookie: null, env: from(`9.9.9.${n}`) }))
    const said = await Promise.all(answers)
    expect(said.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(said[3]?.json.error.details.by).toBe('host')
  })

  verifies.each('load.rate')([
    ['POST', `${API}/windows`, {}, 'OPEN'],
    ['GET', `${API}/windows`, undefined, 'ROUTE'],
    ['POST', `${API}/apps`, { slug: 'x', name: 'X' }, 'PUBLISH'],
    ['POST', '/api/v1/auth/dev-login', { user: 'ada' }, 'SIGN_IN'],
    ['GET', '/nosuch', undefined, 'PUBLIC'],
    ['GET', `${API}/bundles/abc/a/b.js`, undefined, 'PUBLIC'],
    ['HEAD', `${API}/files/abc`, undefined, 'PUBLIC'],
  ] as const)('%s %s counts as %s', async (method, path, body, name) => {
    const { send } = await openRoutes({ limits: { ...one, [`RATE_${name}_BURST`]: 3 } })
    const sent = { method, body, env: from('9.9.9.9') }
    const said = [
      await send(path, sent),
      await send(path, sent),
      await send(path, sent),
      await send(path, sent),
    ]
    expect(said.map(({ status }) => status === 429).slice(2)).toEqual([false, true])
  })

  verifies('load.rate.tokens', 'refuses who tries sign-ins before it judges them', async () => {
    const { send, login } = await openRoutes({ limits: { ...one, RATE_REFUSED_BURST: 2 } })
    const codes: string[] = []
    for (let n = 0; n < 3; n++) {
      const { status } = await send(`${API}/windows`, {
        cookie: `svc_signin_8787=a.b.${n}`,
        env: from('9.9.9.9'),
      })
      codes.push(String(status))
    }
    expect(codes).toEqual(['401', '401', '429'])
    // Others at other addresses are not concerned.
    expect((await send(`${API}/windows`, { cookie: await login('bob'), env: from('9.9.9.8') })).status).toBe(
      200,
    )
  })
})

describe('a call', () => {
  /** Opens a window of ada's app; calls as a page sends them. */
  async function withWindow(small: Partial<Limits>) {
    const opened = await withApp({ limits: small })
    const { json } = await opened.send(`${API}/windows`, { method: 'POST', body: { app_id: opened.app_id } })
    return { ...opened, token: json.token as string }
  }
  const complete = { method: 'POST', body: { messages: [] } }

  verifies(
    ['load.rate', 'load.rate.refused'],
    'is counted by app and by user before its body is read',
    async () => {
      const { send, token } = await withWindow({
        RATE_CALL_BURST: 4,
        RATE_APP_PERCENT: 50,
        RATE_CALL_PER_SECOND: 1,
      })
      const call = () =>
        send('/api/v1/copilot/app/complete', { ...complete, headers: { 'x-svc-app-token': token } })
      const said = [await call(), await call(), await call()]
      expect(said.map(({ status }) => status)).toEqual([403, 403, 429])
      expect(said[2]?.json.error.details).toMatchObject({ rate: 'call', by: 'app', retry_after_ms: 2_000 })
      expect(said[2]?.headers.get('retry-after')).toBe('2')
    },
  )

  verifies('load.rate.tokens', 'with a token that is none is refused before it is judged', async () => {
    const { send } = await withWindow({ ...one, RATE_REFUSED_BURST: 2 })
    const call = () =>
      send('/api/v1/copilot/app/complete', {
        ...complete,
        headers: { 'x-svc-app-token': 'a.b.c' },
        env: from('9.9.9.9'),
      })
    const said = [await call(), await call(), await call()]
    expect(said.map(({ status }) => status)).toEqual([401, 401, 429])
  })
})

verifies('load.rate.classes', 'every class is one of a row, and every row has one', () => {
  const used = new Set<string>(['call', 'refused'])
  for (const [, row] of routeRows()) used.add(rateOf(row))
  for (const [, , { rate }] of methodRows()) if (rate) used.add(rate)
  expect([...used].sort()).toEqual(Object.keys(rates).sort())
})

it.each(Object.keys(rates))('the class %s has its numbers', (name) => {
  const numbers = new Map<string, number>(Object.entries(limits))
  const rate = numbers.get(`RATE_${name.toUpperCase()}_PER_SECOND`)
  expect(numbers.get(`RATE_${name.toUpperCase()}_BURST`)).toBeGreaterThan(rate ?? Number.POSITIVE_INFINITY)
})
