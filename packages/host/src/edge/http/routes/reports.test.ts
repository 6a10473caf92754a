import { verifies } from '@svc/conformance/verifies'
import { describe, expect } from 'vitest'
import { labelOf } from '../../../kernel/request/bundle-origin.ts'
import { paths } from '../../../kernel/request/paths.ts'
import { openRoutes, withApp } from '../../../testing/routes.ts'

const report = { 'csp-report': { 'effective-directive': 'img-src', 'blocked-uri': 'https://x.example/' } }
const OLD = 'application/csp-report'
const NEW = 'application/reports+json'

describe('the route for reports of browsers', () => {
  verifies.each(['route.reports', 'wall.reports'])([
    ['one report', OLD, JSON.stringify(report), 204],
    ['a list', NEW, JSON.stringify([{ type: 'coop', url: 'https://x.example/', body: null }]), 204],
    ['a list of none', NEW, '[]', 204],
    ['another type', 'application/json', JSON.stringify(report), 415],
    ['text that is not JSON', OLD, '{', 400],
    ['something else', NEW, '{"pin": 1}', 400],
    ['a deep body', NEW, '['.repeat(60_000), 400],
    ['a large body', OLD, ' '.repeat(65_537), 413],
  ])('%s as %s is answered', async (_, type, body, status) => {
    const { send } = await openRoutes()
    const headers = { 'content-type': type, origin: 'null' }
    const answer = await send(paths.reports, { method: 'POST', body, cookie: null, headers })
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([status, null])
  })

  verifies('wall.reports', 'takes them at the origin of an app too, which has no other route', async () => {
    const settings = { bundleOrigin: 'http://{app}.localhost:{port}' }
    const { send } = await openRoutes({ settings })
    const headers = { host: `${labelOf('app_x')}.localhost:8787`, origin: 'null', 'content-type': OLD }
    const post = (path: string) => send(path, { method: 'POST', body: JSON.stringify(report), headers })
    expect((await post(paths.reports)).status).toBe(204)
    expect((await post('/api/v1/svc-apps/windows')).status).toBe(403)
  })

  verifies('wall.reports', 'counts them by address, each class apart', async () => {
    const { send } = await openRoutes({ limits: { RATE_BROWSER_BURST: 2, RATE_BROWSER_PER_SECOND: 1 } })
    const env = { incoming: { socket: { remoteAddress: '10.0.0.7' } } }
    const headers = { 'content-type': OLD }
    const statuses: number[] = []
    for (let at = 0; at < 3; at += 1) {
      const sent = { method: 'POST', body: JSON.stringify(report), headers, env }
      statuses.push((await send(paths.reports, sent)).status)
    }
    expect(statuses).toEqual([204, 204, 429])
    expect((await send('/healthz', { env })).status).toBe(200)
  })

  verifies('wall.reports', 'is named by the policy of bundles, under the base path', async () => {
    const { services, send } = await withApp()
    const { installs } = (await send('/api/v1/svc-apps/installs')).json
    const { entry_url } = await services.windows.open('ada', { app_id: installs[0].app_id })
    const { headers } = await send(
      new URL(entry_url, 'http://x').pathname + new URL(entry_url, 'http://x').search,
    )
    expect(headers.get('content-security-policy')).toContain(`; report-uri ${paths.reports}`)
  })
})
