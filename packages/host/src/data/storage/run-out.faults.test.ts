import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { measuredTurn, openTurnMeter, readFigures } from '@svc/conformance/testing/turn-meter'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { memoryStore } from '@svc/state'
import { expect } from 'vitest'
import { items, spaces } from '../../catalog/records.ts'
import { dropExpired } from './items.ts'
import { persistentStorage } from './persistent.ts'
import { spaceOf } from './space.ts'
import type { StorageCaller } from './storage.ts'

/** As many as an app can have. */
const RUN_OUT = limits.STORAGE_KEYS_PER_SPACE
const LISTS = 8

verifies(
  ['kept.storage.list', 'kept.storage.removed'],
  `${LISTS} lists over ${RUN_OUT} values that ran out keep nobody waiting for long`,
  async () => {
    const clock = frozenClock()
    const store = memoryStore()
    const caller: StorageCaller = {
      services: { clock, limits, store, settings: { storage: 'persistent' } },
      userId: 'ada',
      window: { id: 'w', row: { app_id: 'app_notes' } },
      install: { grants: {} },
    }
    const space = spaceOf('app', caller)
    for (let at = 0; at < RUN_OUT; at += 1) {
      const key = `k${String(at).padStart(5, '0')}`
      await store.insert(items, key, {
        space,
        key,
        user_id: 'ada',
        value: '1',
        etag: '"7-a"',
        generation: 7,
        size_bytes: 1,
        room_bytes: 10,
        metadata: null,
        tags: null,
        updated_at: 0,
        expires_at: clock.now(),
      })
    }
    let calls = 0
    async function listAll() {
      const keys: string[] = []
      for (let cursor: string | null = null, n = 0; n === 0 || cursor !== null; n += 1) {
        const args = { limit: 100, scope: 'app' as const }
        const page: Awaited<ReturnType<typeof persistentStorage.list>> = await persistentStorage.list(
          cursor === null ? args : { ...args, cursor },
          caller,
        )
        calls += 1
        keys.push(...page.items.map(({ key }) => key))
        cursor = page.next_cursor
      }
      return keys
    }
    // What the insertions left is none of the lists' work.
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
    const meter = openTurnMeter()
    const { longestTurnMs, maxMs } = await measuredTurn(async () => {
      calls = 0
      meter.longestMs()
      const lists = await Promise.all(Array.from({ length: LISTS }, listAll))
      const figures = readFigures(meter)
      expect(lists).toEqual(Array(LISTS).fill([]))
      expect(calls).toBe((LISTS * RUN_OUT) / limits.STORAGE_LIST_PASSED_MAX)
      return figures
    })
    expect(longestTurnMs).toBeLessThan(maxMs)
    meter.close()
    await dropExpired({ clock, limits, store })
    expect((await store.scan(items, 'byUser', { limit: 1 })).rows).toEqual([])
    expect(await store.get(spaces, space)).toMatchObject({ row: { generation: 7 } })
  },
)
