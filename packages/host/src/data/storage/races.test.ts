import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { memoryStore } from '@svc/state'
import fc from 'fast-check'
import { expect } from 'vitest'
import { items } from '../../catalog/records.ts'
import { turnedStore } from '../../testing/turned-store.ts'
import { dropExpired } from './items.ts'
import { persistentStorage } from './persistent.ts'
import type { StorageCaller } from './storage.ts'

const RUNS = rounds(400)
const scope = 'app' as const
const script = fc.array(fc.constantFrom('set', 'short', 'delete', 'sweep', 'other'), {
  minLength: 2,
  maxLength: 8,
})

verifies(
  ['kept.storage.removed', 'storage.etag.both'],
  'whatever meets, no two writes of a key have one generation, and a later one has a higher one',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), script, script, async (scheduler, first, second) => {
        let turns: fc.Scheduler | undefined
        const clock = frozenClock()
        const store = turnedStore(memoryStore(), () => turns)
        const services = { clock, limits, store, settings: { storage: 'persistent' } } as const
        const window = { id: 'w', row: { app_id: 'app_notes' } }
        const caller: StorageCaller = { services, userId: 'ada', window, install: { grants: {} } }
        const given: number[] = []
        const steps = {
          async set(ttl_seconds?: number) {
            const before = Math.max(0, ...given)
            const args = { key: 'k', value: 'same', scope }
            const { generation } = await persistentStorage.set(
              ttl_seconds === undefined ? args : { ...args, ttl_seconds },
              caller,
            )
            expect(generation).toBeGreaterThan(before)
            given.push(generation)
          },
          async short() {
            await steps.set(1)
            await clock.advance(1_000)
          },
          delete: (key = 'k') =>
            Promise.resolve(persistentStorage.delete({ key, scope }, caller)).catch(() => {}),
          sweep: () => dropExpired(services),
          async other() {
            await persistentStorage.set({ key: 'other', value: 1, scope }, caller)
            await steps.delete('other')
          },
        }
        const run = async (names: readonly (keyof typeof steps)[]) => {
          for (const name of names) await steps[name]()
        }
        turns = scheduler
        const done = Promise.all([run(first), run(second)])
        await scheduler.waitFor(done)
        turns = undefined
        expect(new Set(given).size).toBe(given.length)
        await steps.delete()
        await clock.advance(limits.CLEAN_INTERVAL_MS)
        await steps.sweep()
        expect((await store.scan(items, 'begunAt', { limit: 1 })).rows).toEqual([])
        expect((await store.scan(items, 'live', { limit: 1 })).rows).toEqual([])
      }),
      { numRuns: RUNS },
    )
  },
)
