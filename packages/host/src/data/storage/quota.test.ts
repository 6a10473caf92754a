import { rounds } from '@svc/conformance/rounds'
import { openTestHost, type TestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import { memoryStore } from '@svc/state'
import { afterEach, expect } from 'vitest'
import { items, spaces } from '../../catalog/records.ts'

const REMOVED = rounds(3_000)
let services: TestHost
afterEach(() => services.close())

async function open(limits: Readonly<Record<string, number>> = {}) {
  const store = memoryStore()
  const clock = frozenClock()
  const grants = { allowed_scopes: ['shared'] }
  const manifest = { host_api: { storage: ['*'] } }
  const secret = 's'.repeat(32)
  const token = { WINDOW_TOKEN_TTL_MS: 600_000 }
  services = await openTestHost({
    store,
    clock,
    secret,
    grants,
    manifest,
    storage: 'persistent',
    limits: { ...token, ...limits },
  })
  const window = await services.openWindow()
  const call = async (method: string, args: unknown) => {
    const answer = await window.call('storage', method, args)
    return answer.ok ? answer.result : answer.error
  }
  const records = async () => {
    const live = await store.scan(items, 'live', { limit: 2 * REMOVED })
    const begun = await store.scan(items, 'begunAt', { limit: 2 * REMOVED })
    return live.rows.length + begun.rows.length
  }
  return { store, clock, call, records }
}

const kib = 'x'.repeat(1_024)

verifies(
  'kept.storage',
  'of 40 values of 1 KiB 31 have room in 32 KiB, and the refusal says why',
  async () => {
    const { call, records } = await open({ STORAGE_BYTES_PER_SPACE: 32_768 })
    const codes = []
    for (let at = 0; at < 40; at += 1) codes.push(await call('set', { key: `k${at}`, value: kib }))
    expect(codes.filter((one) => 'etag' in one)).toHaveLength(31)
    expect(codes.at(-1)).toEqual({
      code: 'quota_exceeded',
      message: '"k39" with 1034 bytes does not fit: an app may keep at most 32768 bytes of values in a scope',
      details: {
        limit: 'STORAGE_BYTES_PER_SPACE',
        max: 32_768,
        size: 1_034,
        hint: expect.stringContaining('Delete keys to free space at once'),
      },
    })
    expect(await records()).toBe(31)
    expect(await call('delete', { key: 'k0' })).toEqual({ deleted: true })
    expect(await call('set', { key: 'k39', value: kib })).toMatchObject({ generation: 3 })
  },
)

verifies.each('kept.storage')([
  ['STORAGE_KEYS_PER_SPACE', 2, 'app'],
  ['STORAGE_KEYS_PER_SPACE', 2, 'shared'],
  ['STORAGE_KEYS_PER_USER', 2, 'app'],
  ['STORAGE_BYTES_PER_SPACE', 30, 'shared'],
  ['STORAGE_BYTES_PER_USER', 30, 'app'],
])('%s of %i holds in the scope %s, and old keys can still be written', async (limit, max, scope) => {
  const { call } = await open({ [limit]: max })
  await call('set', { key: 'a', value: 'xxxx', scope })
  await call('set', { key: 'b', value: 'xxxx', scope })
  expect(await call('set', { key: 'c', value: 'xxxx', scope })).toMatchObject({
    code: 'quota_exceeded',
    details: { limit },
  })
  expect(await call('get', { key: 'c', scope })).toMatchObject({ code: 'not_found' })
  expect(await call('set', { key: 'b', value: 'xyzz', scope })).toMatchObject({ generation: 2 })
  expect(await call('delete', { key: 'a', scope })).toEqual({ deleted: true })
  expect(await call('set', { key: 'c', value: 'xxxx', scope })).toMatchObject({ size_bytes: 6 })
})

verifies('kept.storage', 'what users share takes none of the room of its writer', async () => {
  const { call } = await open({ STORAGE_KEYS_PER_USER: 2, STORAGE_BYTES_PER_USER: 30 })
  for (const key of ['a', 'b', 'c', 'd', 'e'])
    expect(await call('set', { key, value: 'xxxx', scope: 'shared' })).toMatchObject({ generation: 1 })
  expect(await call('set', { key: 'a', value: 'xxxx' })).toMatchObject({ generation: 1 })
})

verifies('kept.storage', 'metadata and tags take room like values', async () => {
  const { call } = await open({ STORAGE_BYTES_PER_SPACE: 1_000 })
  for (const more of [{ metadata: { a: 'x'.repeat(1_000) } }, { tags: Array(9).fill('x'.repeat(120)) }])
    expect(await call('set', { key: 'k', value: 1, ...more })).toMatchObject({ code: 'quota_exceeded' })
})

verifies(
  'kept.storage.removed',
  `${REMOVED} keys that were set and removed leave one record in all`,
  async () => {
    const { call, records, store } = await open()
    for (let at = 0; at < REMOVED; at += 1) {
      await call('set', { key: `k${at}`, value: 1 })
      expect(await call('delete', { key: `k${at}` })).toEqual({ deleted: true })
    }
    expect(await records()).toBe(0)
    expect(await store.get(spaces, `["app","${services.appId}","ada"]`)).toMatchObject({
      row: { generation: 2 * REMOVED },
    })
  },
)

verifies('kept.storage.removed', 'what a write that broke off left goes with the sweep', async () => {
  const { store, clock, records, call } = await open()
  await call('set', { key: 'kept', value: 1 })
  Object.assign(store, { swap: () => Promise.reject(new Error('the store went away')) })
  expect(await call('set', { key: 'k', value: 1 })).toMatchObject({ code: 'internal_error' })
  expect(await records()).toBe(2)
  expect(await call('get', { key: 'k' })).toMatchObject({ code: 'not_found' })
  await clock.advance(120_000)
  expect(await records()).toBe(1)
})
