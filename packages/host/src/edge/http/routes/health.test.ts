import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { pause } from '@svc/node'
import { memoryStore } from '@svc/state'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { readSettings } from '../../../settings.ts'
import { openRoutes } from '../../../testing/routes.ts'

describe('health', () => {
  verifies('route.health', 'healthz and readyz answer', async () => {
    const { send } = await openRoutes()
    expect((await send('/healthz', { cookie: null })).json).toEqual({ ok: true })
    expect((await send('/readyz', { cookie: null })).json).toEqual({ ok: true })
  })

  test('a host whose apps cannot be read or whose store is closed is not ready', async () => {
    const { send } = await openRoutes({ configured: [{ dir: '/nowhere' }] })
    expect((await send('/readyz')).status).toBe(503)
    const other = await openRoutes()
    await other.services.store.close()
    expect((await other.send('/readyz')).status).toBe(503)
    expect((await other.send('/healthz')).status).toBe(200)
  })

  verifies('load.ready.soon', 'readyz answers within a second where a part says nothing', async () => {
    const lines: string[] = []
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) })
    let isSilent = true
    const whole = memoryStore()
    const get: typeof whole.get = (...given) =>
      isSilent && given[1] === 'readyz' ? new Promise(() => {}) : whole.get(...given)
    const { send, services } = await openRoutes({ store: { ...whole, get }, logger })
    const ask = async () => {
      let isAnswered = false
      const answer = send('/readyz', { cookie: null }).finally(() => {
        isAnswered = true
      })
      while (!isAnswered) {
        await pause()
        await services.clock.advance(limits.READY_WAIT_MS / 10)
      }
      return (await answer).json
    }
    expect(await ask()).toEqual({ ok: false, reasons: ['store'] })
    expect(await ask()).toEqual({ ok: false, reasons: ['store'] })
    isSilent = false
    expect(await ask()).toEqual({ ok: true })
    expect(lines.filter((line) => line.includes('ready'))).toEqual([
      'this host is not ready',
      'this host is ready again',
    ])
  })

  verifies(
    'data.full',
    'a host that cannot write its data is not ready, and says why, until it can',
    async () => {
      let trouble: string | null = 'there is no room'
      const store = { ...memoryStore(), trouble: () => trouble }
      const { send } = await openRoutes({ store })
      const answer = await send('/readyz', { cookie: null })
      expect([answer.status, answer.json]).toEqual([
        503,
        { ok: false, reasons: ['storage'], storage: 'there is no room' },
      ])
      trouble = null
      expect((await send('/readyz', { cookie: null })).json).toEqual({ ok: true })
    },
  )

  const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } })

  verifies.each('wall.metrics')([
    ['loopback', from('127.0.0.1'), null, 200],
    ['loopback over v6', from('::ffff:127.0.0.1'), null, 200],
    ['another address', from('10.0.0.7'), null, 403],
    ['another address that begins alike', from('127.0.0.1.example'), null, 403],
    ['no connection', undefined, null, 403],
    ['the token', from('10.0.0.7'), 'Bearer open-sesame', 200],
    ['another token', from('10.0.0.7'), 'Bearer open', 403],
    ['the token without its scheme', from('10.0.0.7'), 'open-sesame', 403],
  ] as const)('metrics for %s', async (_who, env, authorization, status) => {
    const { send } = await openRoutes({ metricsToken: 'open-sesame' })
    const answer = await send('/metrics', { cookie: null, env, headers: { authorization } })
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(status === 200 ? 'svc_rpc_calls_total' : 'the metricsToken of this host')
  })

  verifies.each('wall.metrics')([
    ['https://app.site.org', null, 403],
    ['https://app.site.org', 'Bearer open-sesame', 200],
    ['http://localhost:5173', null, 200],
  ])('behind the origin %s, %s from loopback is %i', async (origin, authorization, status) => {
    const settings = readSettings({ origins: [origin] })
    const { send } = await openRoutes({
      metricsToken: 'open-sesame',
      settings: { ...settings, signIn: 'dev' },
    })
    const answer = await send('/metrics', {
      cookie: null,
      env: from('127.0.0.1'),
      headers: { authorization },
    })
    expect(answer.status).toBe(status)
  })

  test('without a token of the operator none opens the metrics', async () => {
    const { send } = await openRoutes()
    const answer = await send('/metrics', {
      env: from('10.0.0.7'),
      headers: { authorization: 'Bearer undefined' },
    })
    expect(answer.status).toBe(403)
  })
})
