import { getEventListeners } from 'node:events'
import { pause } from '@svc/node'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { followUntil } from './follow.ts'
import type { Batch } from './port.ts'

/** A journal of numbered items whose reads take as long as the test likes, and which counts its listeners. */
function slowSource() {
  let tail = 0
  let reads = 0
  const pokes = new Set<(news?: Batch) => void>()
  const [stop, close] = [new AbortController(), new AbortController()]
  const state = { beforeRead: async () => {} }
  const batchAfter = (after: number): Batch => ({
    items: Array.from({ length: tail - after }, (_, n) => ({ seq: after + n + 1, item: '1' })),
    first: 1,
    tail,
    reset: false,
  })
  return {
    stop,
    state,
    reads: () => reads,
    append({ isTold = false, count = 1 } = {}) {
      const before = tail
      tail += count
      for (const poke of pokes) poke(isTold ? batchAfter(before) : undefined)
    },
    listeners: () =>
      pokes.size +
      getEventListeners(stop.signal, 'abort').length +
      getEventListeners(close.signal, 'abort').length,
    source: {
      async read(after: number) {
        reads += 1
        const batch = batchAfter(after)
        await state.beforeRead()
        return batch
      },
      listen(poke: (news?: Batch) => void) {
        pokes.add(poke)
        return () => void pokes.delete(poke)
      },
      signal: stop.signal,
    },
    follow: followUntil(close.signal),
  }
}

describe('follow', () => {
  it('reads again when an item comes while a read is under way', async () => {
    const slow = slowSource()
    slow.state.beforeRead = async () => {
      slow.state.beforeRead = async () => {}
      slow.append()
    }
    const follower = slow.follow(0, slow.source)[Symbol.asyncIterator]()
    expect((await follower.next()).value).toMatchObject({ tail: 1 })
    await follower.return?.()
  })

  it('reads nothing where it waits and is told what was appended', async () => {
    const slow = slowSource()
    const follower = slow.follow(0, slow.source)[Symbol.asyncIterator]()
    for (const count of [1, 3]) {
      const next = follower.next()
      await pause()
      const before = slow.reads()
      slow.append({ isTold: true, count })
      expect((await next).value).toMatchObject({ items: { length: count } })
      expect(slow.reads()).toBe(before)
    }
    await follower.return?.()
  })

  it('gives each item once and in order, however appends, reads and its reader meet', async () => {
    const step = fc.record({
      isTold: fc.boolean(),
      count: fc.integer({ min: 1, max: 3 }),
      turns: fc.integer({ min: 0, max: 3 }),
    })
    const plans = fc.record({
      steps: fc.array(step, { maxLength: 12 }),
      readTurns: fc.integer({ min: 0, max: 3 }),
      useTurns: fc.integer({ min: 0, max: 3 }),
    })
    const turns = async (count: number) => {
      for (let turn = 0; turn < count; turn += 1) await pause()
    }
    await fc.assert(
      fc.asyncProperty(plans, async ({ steps, readTurns, useTurns }) => {
        const slow = slowSource()
        slow.state.beforeRead = () => turns(readTurns)
        const wanted = steps.reduce((sum, { count }) => sum + count, 0)
        const seen: number[] = []
        const reader = (async () => {
          for await (const { items } of slow.follow(0, slow.source)) {
            seen.push(...items.map(({ seq }) => seq))
            await turns(useTurns)
          }
        })()
        for (const { turns: before, ...appended } of steps) {
          await turns(before)
          slow.append(appended)
        }
        await expect.poll(() => seen.length, { interval: 1 }).toBe(wanted)
        slow.stop.abort()
        await reader
        expect(seen).toEqual(Array.from({ length: wanted }, (_, at) => at + 1))
      }),
    )
  })

  it.each([
    ['its signal aborts', async (slow: ReturnType<typeof slowSource>) => slow.stop.abort()],
    ['its reader leaves', async (_: unknown, follower: AsyncIterator<Batch>) => follower.return?.()],
  ])('listens to nothing any more once %s', async (_, end) => {
    const slow = slowSource()
    const follower = slow.follow(0, slow.source)[Symbol.asyncIterator]()
    expect(slow.listeners()).toBe(0)
    const next = follower.next()
    expect(slow.listeners()).toBe(3)
    await end(slow, follower)
    expect((await next).done).toBe(true)
    expect(slow.listeners()).toBe(0)
  })
})
