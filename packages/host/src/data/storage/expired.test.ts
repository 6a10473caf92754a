import { openTestHost, type TestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import { memoryStore } from '@svc/state'
import { afterEach, expect } from 'vitest'
import { items } from '../../catalog/records.ts'

let services: TestHost
afterEach(() => services.close())

verifies(
  ['decision.storage.generation'],
  'a value that ran out takes no room after the next sweep, and its generation goes on',
  async () => {
    const clock = frozenClock()
    const store = memoryStore()
    services = await openTestHost({
      clock,
      store,
      secret: 's'.repeat(32),
      storage: 'persistent',
      limits: { WINDOW_TOKEN_TTL_MS: 600_000 },
      manifest: { host_api: { storage: ['*'] } },
    })
    const window = await services.openWindow()
    const call = async (method: string, args: unknown) => {
      const answer = await window.call('storage', method, args)
      return answer.ok ? answer.result : answer.error.code
    }
    await call('set', {
      key: 'short',
      value: 'x'.repeat(1_000),
      ttl_seconds: 30,
      metadata: { a: 1 },
      tags: ['t'],
    })
    await call('set', { key: 'long', value: 1, ttl_seconds: 300 })
    await call('set', { key: 'again', value: 1, ttl_seconds: 30 })
    await clock.advance(29_000)
    await call('set', { key: 'again', value: 2, ttl_seconds: 300 })
    await clock.advance(31_000)
    const expiring = await store.scan(items, 'expiresAt', { limit: 10 })
    expect(expiring.rows.map(({ row }) => row.key).sort()).toEqual(['again', 'long'])
    expect(await call('get', { key: 'short' })).toBe('not_found')
    expect(await call('get', { key: 'again' })).toMatchObject({ value: 2, generation: 2 })
    expect(await call('set', { key: 'short', value: 1 })).toMatchObject({ generation: 2 })
  },
)
