import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect } from 'vitest'
import { openAgentHost, refusedCall as refused, secondApp } from '../../testing/agent-host.ts'

const { AGENT_IDLE_TTL_MS: IDLE, EXPIRED_KEEP_MS: KEEP, REVOKED_RETENTION_MS: RETENTION } = limits
const MINUTE_MS = 60_000

verifies(
  ['session.list.limit', 'limits.session_list', 'session.count'],
  'a list is as long as it may be: 50 by default, 1 to 100 for whatever is asked',
  async () => {
    const other = await openAgentHost()
    for (let n = 0; n < 101; n += 1) await other.create()
    const length = async (limit?: unknown) => {
      const { body } = await other.call('list', { limit })
      return body.ok ? body.result.sessions.length : body.error.code
    }
    const asked = [undefined, 0, -5, 1, 99, 100, 101, 1e9, 1.5, '5', null]
    expect(await Promise.all(asked.map(length))).toEqual([
      50,
      1,
      1,
      1,
      99,
      100,
      100,
      100,
      'invalid_arg',
      'invalid_arg',
      'invalid_arg',
    ])
    await other.close()
  },
)

verifies(
  [
    'session.expired.call',
    'session.delete.result',
    'session.delete.idempotent',
    'session.refresh.ended',
    'decision.delete.after',
    'session.purge',
    'session.reaper',
    'session.revoked.visible',
    'decision.session.expired_kept',
  ],
  'a session over RPC on its way from active to gone, by the host alone',
  async () => {
    const other = await openAgentHost()
    const run_id = '0b3f8f3e-6d4c-4a53-9c7e-1f2a3b4c5d6e'
    const app_session_uuid = await other.create()
    const deleted = await other.create()
    const stateOf = async (uuid: string) => {
      const { body } = await other.call('list', { include_expired: true })
      return body.result.sessions.find((one: { app_session_uuid: string }) => one.app_session_uuid === uuid)
        ?.state
    }
    const ended = async (uuid: string, code: Parameters<typeof refused>[0], state: string | undefined) => {
      const args = { app_session_uuid: uuid, run_id, content: 'hi' }
      for (const method of ['refresh', 'cancel', 'run'])
        expect([method, await other.call(method, args)]).toMatchObject([method, refused(code)])
      expect(await stateOf(uuid)).toBe(state)
      expect((await other.call('list')).body.result.sessions).toEqual([])
    }
    for (let n = 0; n < 2; n += 1)
      expect((await other.call('delete', { app_session_uuid: deleted })).body.result).toEqual({
        deleted: true,
      })
    await other.clock.advance(IDLE)
    await ended(app_session_uuid, 'APP_SESSION_EXPIRED', 'expired')
    await ended(deleted, 'APP_SESSION_REVOKED', 'revoked')
    await other.clock.advance(KEEP - 2 * MINUTE_MS)
    await ended(app_session_uuid, 'APP_SESSION_EXPIRED', 'expired')
    await other.clock.advance(3 * MINUTE_MS)
    await ended(app_session_uuid, 'APP_SESSION_REVOKED', 'revoked')
    await ended(deleted, 'APP_SESSION_NOT_FOUND', undefined)
    await other.clock.advance(RETENTION)
    await ended(app_session_uuid, 'APP_SESSION_NOT_FOUND', undefined)
    for (const uuid of [app_session_uuid, deleted, 'aps_nosuch'])
      expect((await other.call('delete', { app_session_uuid: uuid })).body.result).toEqual({ deleted: true })
    await other.close()
  },
)

verifies(
  ['session.window_closed', 'decision.window.sessions_grace'],
  'a window that closes takes its sessions along after half a minute, on the sweep of the host',
  async () => {
    const other = await openAgentHost({ limits: { REAPER_INTERVAL_MS: 1_000 } })
    const window = await other.openWindow()
    const made = await window.call('agent', 'session.create', { submode: 'auto' })
    const app_session_uuid = made.ok ? made.result.app_session_uuid : ''
    const kept = await other.create()
    await window.call('window', 'close')
    await other.clock.advance(29_999)
    expect((await other.call('refresh', { app_session_uuid })).status).toBe(200)
    await other.clock.advance(1_001)
    const [shown] = (await other.host.sessions.list('ada', { includeExpired: true })).slice(-1)
    expect(shown).toMatchObject({ app_session_uuid, state: 'revoked' })
    expect(await other.call('refresh', { app_session_uuid })).toMatchObject(refused('APP_SESSION_REVOKED'))
    expect((await other.call('refresh', { app_session_uuid: kept })).status).toBe(200)
    await other.close()
  },
)

verifies(
  ['session.list.app', 'decision.session.unknown', 'decision.delete.always', 'error.session_not_found'],
  'other apps and other users find no session, and their delete leaves it as it is',
  async () => {
    const other = await openAgentHost()
    const app_session_uuid = await other.create()
    const run_id = '0b3f8f3e-6d4c-4a53-9c7e-1f2a3b4c5d6e'
    const appId = await secondApp(other)
    const cookie = await other.signIn('bob')
    const { version } = await other.host.apps.release('ada', appId, '1.0.0')
    await other.host.apps.install('bob', { app_id: appId, version })
    for (const caller of [{ appId }, { appId, cookie }]) {
      for (const method of ['refresh', 'cancel', 'run']) {
        const answer = await other.call(method, { app_session_uuid, run_id, content: 'hi' }, caller)
        expect([method, answer]).toMatchObject([method, refused('APP_SESSION_NOT_FOUND')])
      }
      expect((await other.call('delete', { app_session_uuid }, caller)).body.result).toEqual({
        deleted: true,
      })
      expect((await other.call('list', { include_expired: true }, caller)).body.result.sessions).toEqual([])
      expect((await other.call('history', { app_session_uuid }, caller)).body.result).toEqual({
        messages: [],
      })
    }
    expect((await other.call('refresh', { app_session_uuid })).status).toBe(200)
    await other.close()
  },
)

verifies(
  'session.expired.quota',
  'more sessions than a user may have are APP_QUOTA_EXCEEDED with a hint',
  async () => {
    const other = await openAgentHost({ limits: { SESSIONS_PER_APP: 2 } })
    const app_session_uuid = await other.create()
    await other.create()
    const full = await other.call('create', { submode: 'auto' })
    expect(full).toMatchObject(refused('APP_QUOTA_EXCEEDED'))
    expect(full.body.error.details).toMatchObject({
      quota: 'sessions',
      max: 2,
      hint: expect.stringContaining('session.delete'),
    })
    await other.call('delete', { app_session_uuid })
    await other.create()
    expect((await other.call('create', { submode: 'auto' })).status).toBe(429)
    await other.clock.advance(IDLE)
    await other.create()
    await other.close()
  },
)

verifies('wall.sessions.uninstalled', 'an app that is uninstalled has no active session left', async () => {
  const other = await openAgentHost()
  await other.create()
  const appId = await secondApp(other)
  await other.create({}, { appId })
  const [install] = (await other.host.apps.installed('ada')).filter((one) => one.app_id === other.appId)
  await other.host.apps.uninstall('ada', install?.install_id ?? '')
  const sessions = await other.host.sessions.list('ada', { includeExpired: true })
  expect(sessions.map((one) => [one.app_id, one.state])).toEqual([
    [appId, 'active'],
    [other.appId, 'revoked'],
  ])
  await other.close()
  expect(other.clock.timers).toBe(0)
})
