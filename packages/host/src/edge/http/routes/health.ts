import { refuse } from '@svc/contract'
import { users } from '../../../catalog/records.ts'
import { hasBearerToken } from '../../../kernel/request/head.ts'
import { json } from './answer.ts'
import type { Connection, RouteContext, RouteParts } from './env.ts'
import type { HandlersOf } from './mount.ts'

const UNAVAILABLE = 503
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/

/** Whether the process responds, whether it is ready for more, and its metrics in Prometheus' text. */
export function healthHandlers({
  services,
  metricsToken,
  leaving,
}: RouteParts): HandlersOf<'health.live' | 'health.ready' | 'health.metrics'> {
  const { apps, load, log, metrics, store } = services
  return {
    'health.live': async () => ({ ok: true }),
    async 'health.ready'() {
      const trouble = store.trouble?.() ?? null
      const reasons: string[] = [
        ...load.shortages,
        ...(leaving.aborted ? ['closing'] : []),
        ...(trouble === null ? [] : ['storage']),
      ]
      const parts = { apps: () => apps.ready(), store: () => store.get(users, 'readyz') }
      for (const [name, isReady] of Object.entries(parts))
        try {
          await isReady()
        } catch (error) {
          log.error({ err: error }, 'not ready')
          reasons.push(name)
        }
      if (reasons.length === 0) return { ok: true }
      return json({ ok: false, reasons, ...(trouble !== null && { storage: trouble }) }, UNAVAILABLE)
    },
    async 'health.metrics'({ context }) {
      if (!mayRead(context, metricsToken, services.settings.isPublic))
        throw refuse(
          'permission_denied',
          'the metrics need a loopback address, or the metricsToken of this host as Bearer',
          {
            hint: 'Set createHost({ metricsToken }); if origins names a public host, a loopback address may be a proxy and is not enough.',
          },
        )
      const registry = await metrics.registry()
      return new Response(await registry.metrics(), {
        headers: { 'content-type': registry.contentType, 'cache-control': 'no-store' },
      })
    },
  }
}

/**
 * Without a connection to look at (an embedding server's `fetch`) only the token helps; so it is behind a proxy on this
 * machine, of which all connections are.
 */
function mayRead(c: RouteContext, token: string | undefined, isPublic: boolean): boolean {
  const remote = (c.env as Connection | undefined)?.incoming?.socket.remoteAddress
  if (!isPublic && remote !== undefined && LOOPBACK.test(remote)) return true
  return hasBearerToken(c.req.header('authorization'), token)
}
