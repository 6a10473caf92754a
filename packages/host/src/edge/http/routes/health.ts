import { refuse } from '@svc/contract'
import { users } from '../../../catalog/records.ts'
import { inTime } from '../../../kernel/in-time.ts'
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
  const { apps, clock, limits, load, log, metrics, store } = services
  const parts: Readonly<Record<string, () => Promise<unknown>>> = {
    apps: () => apps.ready(),
    store: () => store.get(users, 'readyz'),
  }
  const late = () => new Error(`it did not answer within ${limits.READY_WAIT_MS} ms`)
  /** What was said of this host last: an outage is a line of the log, and its end another one. */
  let told = ''

  function tell(reasons: readonly string[], err: unknown): void {
    const now = reasons.join()
    if (now === told) return
    told = now
    if (now === '') log.info({}, 'this host is ready again')
    else log.warn({ reasons, ...(err !== undefined && { err }) }, 'this host is not ready')
  }

  return {
    'health.live': async () => ({ ok: true }),
    async 'health.ready'({ context }) {
      const { signal } = context.req.raw
      const trouble = store.trouble?.() ?? null
      const reasons: string[] = [
        ...load.shortages,
        ...(leaving.aborted ? ['closing'] : []),
        ...(trouble === null ? [] : ['storage']),
      ]
      const asked = Object.values(parts).map((isReady) =>
        inTime(isReady, { clock, ms: limits.READY_WAIT_MS, signal, late }),
      )
      const answers = await Promise.allSettled(asked)
      const away = answers.flatMap((answer, at) =>
        answer.status === 'rejected' ? [{ name: Object.keys(parts)[at] ?? '', err: answer.reason }] : [],
      )
      reasons.push(...away.map(({ name }) => name))
      // Who asks may have hung up first, which says nothing of this host.
      if (!signal.aborted) tell(reasons, away[0]?.err)
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
