import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { memoryStore, type Store } from '@svc/state'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { openHosts } from './hosts.ts'
import { openRemovals, removals as rows } from './removals.ts'

const log = pino({ level: 'silent' })
const DIGEST = 'd1'

/** A host over a store, on a clock of its own. */
function open(store: Store, id: string) {
  const clock = frozenClock()
  const hosts = openHosts({ store, clock, limits, log, newId: () => id })
  return { clock, hosts, removals: openRemovals({ store, clock, limits, hosts }) }
}

/** Begins a removal; `go` ends it. */
async function begin({ removals }: ReturnType<typeof open>, digest = DIGEST) {
  const [began, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = removals.run(digest, async () => {
    began.resolve()
    await go.promise
  })
  await began.promise
  return { done, go: go.resolve }
}

/** What ended of some promises, by their names, in order. */
function noted(promises: Readonly<Record<string, Promise<unknown>>>): string[] {
  const ended: string[] = []
  for (const [name, promise] of Object.entries(promises)) void promise.then(() => ended.push(name))
  return ended
}

async function leftOver({ removals }: ReturnType<typeof open>): Promise<string[]> {
  const digests: string[] = []
  for await (const digest of removals.leftOver()) digests.push(digest)
  return digests
}

const left = async (store: Store) => (await store.scan(rows, 'byDigest', { limit: 9 })).rows.length

it('who puts bytes waits for their removal, and for no other', async () => {
  const store = memoryStore()
  const a = open(store, 'a')
  await a.removals.settled(DIGEST)
  const removal = await begin(a)
  const ended = noted({ same: a.removals.settled(DIGEST), other: a.removals.settled('d2') })
  await a.clock.advance(limits.HOST_DEAD_MS)
  expect(ended).toEqual(['other'])
  removal.go()
  await removal.done
  await a.clock.advance(0)
  expect([ended, await left(store)]).toEqual([['other', 'same'], 0])
})

it('of one digest there is one removal at a time', async () => {
  const a = open(memoryStore(), 'a')
  const first = await begin(a)
  let isSecond = false
  const second = a.removals.run(DIGEST, async () => {
    isSecond = true
  })
  await a.clock.advance(0)
  expect(isSecond).toBe(false)
  first.go()
  await Promise.all([first.done, second])
  expect(isSecond).toBe(true)
})

it('the removal of another host is waited for', async () => {
  const store = memoryStore()
  const [a, b] = [open(store, 'a'), open(store, 'b')]
  const removal = await begin(a)
  const ended = noted({ put: b.removals.settled(DIGEST), removal: b.removals.run(DIGEST, async () => {}) })
  for (let beat = 0; beat < 5; beat += 1)
    for (const { clock } of [a, b]) await clock.advance(limits.HOST_BEAT_MS)
  expect(ended).toEqual([])
  removal.go()
  await removal.done
  await b.clock.advance(limits.HOST_BEAT_MS)
  expect([ended.sort(), await left(store)]).toEqual([['put', 'removal'], 0])
})

it('that of a host which was killed ends with its silence, and the host itself sees that', async () => {
  const store = memoryStore()
  const [a, b] = [open(store, 'a'), open(store, 'b')]
  const go = Promise.withResolvers<void>()
  const held = a.removals.run(DIGEST, async ({ checkOwn }) => {
    await checkOwn()
    await go.promise
    await checkOwn()
  })
  await a.clock.advance(0)
  const ended = noted({ put: b.removals.settled(DIGEST) })
  await b.clock.advance(limits.HOST_DEAD_MS - limits.HOST_BEAT_MS)
  expect(ended).toEqual([])
  await b.clock.advance(limits.HOST_BEAT_MS)
  expect(ended).toEqual(['put'])
  // It was held up until now: its next beat tells it.
  await a.clock.advance(limits.HOST_BEAT_MS)
  go.resolve()
  await expect(held).rejects.toThrow('this host was taken for dead while it was removing bytes')
})

it('on an exclusive store what another host left is over at once', async () => {
  const store = memoryStore()
  await begin(open(store, 'a'))
  const b = open({ ...store, isExclusive: true }, 'b')
  await b.removals.settled(DIGEST)
  await b.removals.run(DIGEST, async () => {})
  expect(await left(store)).toBe(0)
})

it('what a host could not take back itself holds up nobody, and is left over', async () => {
  const store = memoryStore()
  const a = open({ ...store, remove: () => Promise.reject(new Error('the disk is full')) }, 'a')
  const removed = a.removals.run(DIGEST, async () => {})
  await expect(removed).rejects.toThrow('the disk is full')
  await a.removals.settled(DIGEST)
  expect(await leftOver(a)).toEqual([DIGEST])
})

it('what runs, here or at another host, is not left over; a removal that failed is over', async () => {
  const store = memoryStore()
  const [a, b] = [open(store, 'a'), open(store, 'b')]
  const removal = await begin(a)
  expect([await leftOver(a), await leftOver(b)]).toEqual([[], []])
  removal.go()
  await removal.done
  const failed = a.removals.run(DIGEST, () => Promise.reject(new Error('the disk is away')))
  await expect(failed).rejects.toThrow('the disk is away')
  expect(await left(store)).toBe(0)
})

it('closing waits for removals that run', async () => {
  const a = open(memoryStore(), 'a')
  const removal = await begin(a)
  const ended = noted({ close: a.removals.close() })
  await a.clock.advance(0)
  expect(ended).toEqual([])
  removal.go()
  await removal.done
  await a.clock.advance(0)
  expect(ended).toEqual(['close'])
})
