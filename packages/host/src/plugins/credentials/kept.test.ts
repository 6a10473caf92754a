import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { memoryStore } from '@svc/state'
import { expect } from 'vitest'
import { operatorCredentials } from './operator-credentials.ts'

verifies('kept.asked', 'of requests for credentials the newest are kept, of each user', async () => {
  const clock = frozenClock()
  const credentials = operatorCredentials({
    clock,
    limits: { ...limits, CREDENTIAL_REQUESTS_PER_USER: 3 },
    store: memoryStore(),
    // No plugin has any.
    plugins: { of: async () => [] } as unknown as Parameters<typeof operatorCredentials>[0]['plugins'],
  })
  await credentials.request('eve', 'KEY_0', { appId: 'app_1' })
  for (let at = 0; at < 5; at += 1) {
    await clock.advance(1)
    await credentials.request('ada', `KEY_${at}`, { appId: 'app_1' })
  }
  const status = async (user: string, at: number) => credentials.status(user, `KEY_${at}`)
  const found = await Promise.all([0, 1, 2, 3, 4].map((at) => status('ada', at)))
  expect(found).toEqual(['missing', 'missing', 'pending', 'pending', 'pending'])
  expect(await status('eve', 0)).toBe('pending')
})
