import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { type FrozenClock, frozenClock } from '@svc/node/testing'
import type { Store } from '@svc/state'
import { memoryStore } from '@svc/state'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { openHosts, hosts as rows } from './hosts.ts'

const log = pino({ level: 'silent' })
const DEAD = limits.HOST_DEAD_MS

/** A host with a clock of its own, over a store that may be shared. */
function open(store: Store, clock: FrozenClock, id: string) {
  return openHosts({ store, clock, limits, log, newId: () => id })
}
const rowOf = async (store: Store, id: string) => (await store.get(rows, id))?.row ?? null

it('a host that nobody asks for writes nothing and holds no timer', async () => {
  const [store, clock] = [memoryStore(), frozenClock()]
  const a = open(store, clock, 'a')
  expect([await rowOf(store, 'a'), clock.timers]).toEqual([null, 0])
  await a.close()
  expect(await rowOf(store, 'a')).toBeNull()
})

it('a host beats each second from its first use to its end', async () => {
  const [store, clock] = [memoryStore(), frozenClock()]
  const a = open(store, clock, 'a')
  const asked = await Promise.all([a.me(), a.me()])
  expect(asked).toEqual([
    { host_id: 'a', epoch: 1 },
    { host_id: 'a', epoch: 1 },
  ])
  expect(clock.timers).toBe(1)
  await clock.advance(2_500)
  expect(await rowOf(store, 'a')).toEqual({ epoch: 1, beat_at: clock.now() - 500 })
  await Promise.all([a.close(), a.close()])
  expect(await rowOf(store, 'a')).toEqual({ epoch: 2, beat_at: 0 })
  expect(clock.timers).toBe(0)
})

it('a beat that cannot be written comes again', async () => {
  const [store, clock] = [memoryStore(), frozenClock()]
  let isAway = true
  const fragile: Store = {
    ...store,
    async insert(...args) {
      if (isAway) throw new Error('the store is away')
      return store.insert(...args)
    },
    async swap(...args) {
      if (isAway) throw new Error('the store is away')
      return store.swap(...args)
    },
  }
  const a = open(fragile, clock, 'a')
  await expect(a.me()).rejects.toThrow('the store is away')
  isAway = false
  await a.me()
  isAway = true
  await clock.advance(2_000)
  isAway = false
  await clock.advance(1_000)
  expect(await rowOf(store, 'a')).toEqual({ epoch: 1, beat_at: clock.now() })
  isAway = true
  await a.close()
  expect(clock.timers).toBe(0)
})

it.each([
  [DEAD - 1, 1],
  [DEAD, 2],
])('silent for %i ms a host is at epoch %i', async (ms, epoch) => {
  const store = memoryStore()
  const [a, clock] = [open(store, frozenClock(), 'a'), frozenClock()]
  await a.me()
  const b = open(store, clock, 'b')
  await clock.advance(ms)
  await b.markDead()
  await b.markDead()
  expect((await rowOf(store, 'a'))?.epoch).toBe(epoch)
  await a.close()
})

it('of a beat and a burial one comes first, and the other sees it', async () => {
  const store = memoryStore()
  const clocks = [frozenClock(), frozenClock()] as const
  const [a, b] = [open(store, clocks[0], 'a'), open(store, clocks[1], 'b')]
  await a.me()
  for (const clock of clocks) void clock.advance(DEAD)
  const [now] = await Promise.all([a.me(), b.markDead(), b.markDead()])
  expect(now.epoch).toBe((await rowOf(store, 'a'))?.epoch)
  await a.close()
})

it('a host that was held up asks before it answers, and one that was forgotten begins a new epoch', async () => {
  const store = memoryStore()
  const clocks = [frozenClock(), frozenClock()] as const
  const [a, b] = [open(store, clocks[0], 'a'), open(store, clocks[1], 'b')]
  await a.me()
  await clocks[1].advance(DEAD)
  const [dead] = await b.markDead()
  if (dead) await b.forget(dead)
  expect(await rowOf(store, 'a')).toBeNull()
  await clocks[0].advance(limits.HOST_BEAT_MS)
  expect(await a.me()).toEqual({ host_id: 'a', epoch: 2 })
  const [alive] = await b.markDead()
  if (alive) await b.forget(alive)
  expect(await rowOf(store, 'a')).not.toBeNull()
  await a.close()
})

it('a host does not bury itself', async () => {
  const [store, clock] = [memoryStore(), frozenClock()]
  const a = open(store, clock, 'a')
  await a.me()
  const late = openHosts({ store, clock: frozenClock(clock.now() + DEAD), limits, log, newId: () => 'a' })
  expect((await late.markDead())[0]?.row.epoch).toBe(1)
  await a.close()
})

verifies(
  'data.alone',
  'on an exclusive store all others are dead at once, whatever their clocks said',
  async () => {
    const [store, clock] = [{ ...memoryStore(), isExclusive: true }, frozenClock()]
    await store.insert(rows, 'killed', { epoch: 3, beat_at: clock.now() })
    await store.insert(rows, 'ahead', { epoch: 1, beat_at: clock.now() + 86_400_000 })
    const a = open(store, clock, 'a')
    await a.me()
    const found = await a.markDead()
    expect(Object.fromEntries(found.map(({ id, row }) => [id, [row.epoch, row.beat_at > 0]]))).toEqual({
      killed: [4, false],
      a: [1, true],
      ahead: [2, false],
    })
    await a.close()
  },
)

it('a heartbeat that fails for long is told once, and once more when it fails again', async () => {
  const [store, clock] = [memoryStore(), frozenClock()]
  let isAway = false
  const fragile: Store = {
    ...store,
    async swap(...args) {
      if (isAway) throw new Error('the store is away')
      return store.swap(...args)
    },
  }
  const logged: string[] = []
  const a = openHosts({
    store: fragile,
    clock,
    limits,
    newId: () => 'a',
    log: pino({ level: 'error' }, { write: (line: string) => void logged.push(line) }),
  })
  await a.me()
  isAway = true
  await clock.advance(5_000)
  expect(logged).toHaveLength(1)
  isAway = false
  await clock.advance(1_000)
  isAway = true
  await clock.advance(5_000)
  expect(logged).toHaveLength(2)
  isAway = false
  await a.close()
})
