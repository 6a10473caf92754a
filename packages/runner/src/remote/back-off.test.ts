import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { frozenClock } from '@svc/node/testing'
import { expect, it } from 'vitest'
import { connectAddress } from './address.ts'
import { openBackOff } from './back-off.ts'

const few = { ...limits, RUNNER_RETRY_MS: 500, RUNNER_RETRY_MAX_MS: 30_000, RUNNER_STEADY_MS: 10_000 }

verifies.each('link.backoff')([
  ['the longest', 1, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]],
  ['the shortest', 0, [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]],
])('%s pauses', (_name, random, pauses) => {
  const backOff = openBackOff(few, frozenClock(), () => random)
  expect(pauses.map(() => backOff.nextMs())).toEqual(pauses)
})

verifies(
  'link.backoff',
  'begin anew behind a link that stood, and not behind one that broke at once',
  async () => {
    const clock = frozenClock()
    const backOff = openBackOff(few, clock, () => 1)
    const after = async (ms: number) => {
      backOff.reset()
      await clock.advance(ms)
      return backOff.nextMs()
    }
    expect([await after(0), await after(9_999), await after(9_999)]).toEqual([500, 1_000, 2_000])
    expect([await after(10_000), backOff.nextMs()]).toEqual([500, 1_000])
  },
)

it.each([
  ['https://host.example', 'wss://host.example/api/v1/svc-apps/runners/connect'],
  ['https://host.example:8443/', 'wss://host.example:8443/api/v1/svc-apps/runners/connect'],
  ['https://host.example/under/', 'wss://host.example/under/api/v1/svc-apps/runners/connect'],
  ['http://127.0.0.1:8787', 'ws://127.0.0.1:8787/api/v1/svc-apps/runners/connect'],
  ['http://localhost', 'ws://localhost/api/v1/svc-apps/runners/connect'],
  ['http://[::1]:9', 'ws://[::1]:9/api/v1/svc-apps/runners/connect'],
])('%s is linked at %s', (url, address) => {
  expect(connectAddress(url).href).toBe(address)
})

verifies.each('link.tls')([
  ['http://host.example'],
  ['http://127.evil.example'],
  ['http://localhost.example'],
  ['ws://127.0.0.1'],
  ['https://user:secret@host.example'],
  ['https://host.example?token=x'],
  ['host.example'],
  ['ftp://host.example'],
  [''],
])('no token goes to %j', (url) => {
  expect(() => connectAddress(url)).toThrow(/URL|https/)
})
