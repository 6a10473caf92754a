import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { memoryStore } from '@svc/state'
import { expect } from 'vitest'
import { persistentStorage } from './persistent.ts'
import type { StorageCaller } from './storage.ts'

const KEYS = 250
const MAX_BYTES = 100_000
const caller = (): StorageCaller => ({
  services: {
    clock: frozenClock(),
    limits: { ...limits, STORAGE_LIST_MAX_BYTES: MAX_BYTES },
    store: memoryStore(),
    settings: { storage: 'persistent' },
  },
  userId: 'ada',
  window: { id: 'w', row: { app_id: 'app_notes' } },
  install: { grants: {} },
})

verifies.each('kept.storage.large')([
  ['1 000 bytes', 1_000, 95],
  ['as many bytes as may be', limits.STORAGE_METADATA_MAX_BYTES - 100, 6],
  ['no bytes', 0, KEYS],
])('values with metadata of %s', async (_what, size, perPage) => {
  const context = caller()
  const keys = Array.from({ length: KEYS }, (_, at) => `k${String(at).padStart(4, '0')}`)
  for (const key of keys)
    await persistentStorage.set({ key, value: 1, scope: 'app', metadata: { x: 'x'.repeat(size) } }, context)
  const pages: string[][] = []
  for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
    const page: Awaited<ReturnType<typeof persistentStorage.list>> = await persistentStorage.list(
      { limit: 1_000, scope: 'app', ...(cursor !== null && { cursor }) },
      context,
    )
    pages.push(page.items.map(({ key }) => key))
    cursor = page.next_cursor
  }
  expect(pages.flat()).toEqual(keys)
  expect(pages[0]?.length).toBeGreaterThan(0.9 * perPage)
  expect(pages[0]?.length).toBeLessThanOrEqual(1.1 * perPage)
})

verifies('kept.storage.large', 'a value whose metadata is larger than that comes alone', async () => {
  const context = caller()
  const metadata = { x: 'x'.repeat(limits.STORAGE_METADATA_MAX_BYTES - 100) }
  const services = { ...context.services, limits: { ...limits, STORAGE_LIST_MAX_BYTES: 1_000 } }
  for (const key of ['a', 'b'])
    await persistentStorage.set({ key, value: 1, scope: 'app', metadata }, context)
  const page = await persistentStorage.list({ limit: 10, scope: 'app' }, { ...context, services })
  expect(page.items.map(({ key }) => key)).toEqual(['a'])
  expect(page.next_cursor).not.toBeNull()
})
