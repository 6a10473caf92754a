import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { follow } from './follow.ts'
import type { Batch } from './port.ts'

/** A journal of numbered items whose reads take as long as the test likes, and which counts its listeners. */
function slowSource() {
  let tail = 0
  const pokes = new Set<() => void>()
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
    append() {
      tail++
      for (const poke of pokes) poke()
    },
    listeners: () =>
      pokes.size +
      getEventListeners(stop.signal, 'abort').length +
      getEventListeners(close.signal, 'abort').length,
    source: {
      async read(after: number) {
        const batch = batchAfter(after)
        await state.beforeRead()
        return batch
      },
      listen(poke: () => void) {
        pokes.add(poke)
        return () => void pokes.delete(poke)
      },
      signal: stop.signal,
      closing: close.signal,
    },
  }
}

describe('follow', () => {
  it('reads again when an item comes while a read is under way', async () => {
    const slow = slowSource()
    slow.state.beforeRead = async () => {
      slow.state.beforeRead = async () => {}
      slow.append()
    }
    const follower = follow(0, slow.source)[Symbol.asyncIterator]()
    expect((await follower.next()).value).toMatchObject({ tail: 1 })
    await follower.return?.()
  })

  it.each([
    ['its signal aborts', async (slow: ReturnType<typeof slowSource>) => slow.stop.abort()],
    ['its reader leaves', async (_: unknown, follower: AsyncIterator<Batch>) => follower.return?.()],
  ])('listens to nothing any more once %s', async (_, end) => {
    const slow = slowSource()
    const follower = follow(0, slow.source)[Symbol.asyncIterator]()
    expect(slow.listeners()).toBe(0)
    const next = follower.next()
    expect(slow.listeners()).toBe(3)
    await end(slow, follower)
    expect((await next).done).toBe(true)
    expect(slow.listeners()).toBe(0)
  })
})
