import { timingSafeEqual } from 'node:crypto'
import { refuse } from '@svc/contract'
import type { Hono } from 'hono'
import { digestOf } from '../../blobs/digest.ts'
import { users } from '../../records.ts'
import { json } from './answer.ts'
import type { Connection, RouteContext, RouteEnv, RouteParts } from './env.ts'

const UNAVAILABLE = 503
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/

/** `/healthz`: the process answers. `/readyz`: store and configured apps do. `/metrics`: Prometheus' text. */
export function healthRoutes(routes: Hono<RouteEnv>, { house, metricsToken }: RouteParts): void {
  const { apps, log, metrics, store } = house
  routes.get('/healthz', () => json({ ok: true }))
  routes.get('/readyz', async () => {
    try {
      await apps.ready()
      await store.get(users, 'readyz')
      return json({ ok: true })
    } catch (error) {
      log.error({ err: error }, 'not ready')
      return json({ ok: false }, UNAVAILABLE)
    }
  })
  routes.get('/metrics', async (c) => {
    if (!mayRead(c, metricsToken))
      throw refuse('permission_denied', 'the metrics answer loopback, or the Bearer token of the operator')
    const text = await metrics.registry.metrics()
    return new Response(text, {
      headers: { 'content-type': metrics.registry.contentType, 'cache-control': 'no-store' },
    })
  })
}

/** Without a connection to look at (an embedding server's `fetch`) only the token helps. */
function mayRead(c: RouteContext, token: string | undefined): boolean {
  const remote = (c.env as Connection | undefined)?.incoming?.socket.remoteAddress
  if (remote !== undefined && LOOPBACK.test(remote)) return true
  const sent = c.req.header('authorization')
  return token !== undefined && sent !== undefined && same(sent, `Bearer ${token}`)
}

/** Compares digests, so that neither length nor first difference shows in the time. */
const same = (a: string, b: string) => timingSafeEqual(digest(a), digest(b))
const digest = (text: string) => Buffer.from(digestOf(Buffer.from(text)))
