import { describe, expect, it } from 'vitest'
import { entries, fill, followerOf, type Hold, nextOf } from './hold.ts'

/** A follower misses nothing, hears nothing twice, is told of holes, and leaves nothing behind. */
export function followRules(hold: Hold): void {
  describe('followers', () => {
    it.each([
      ['the beginning', 0],
      ['a cursor', 3],
      ['the tail', 5],
    ])('get what stands after %s and then what comes', async (_, after) => {
      await fill(hold.bus, 'j', 1, 5)
      const seen = []
      const stop = new AbortController()
      await fill(hold.bus, 'j', 6, 6)
      for await (const batch of hold.bus.journal.follow('j', after, { signal: stop.signal })) {
        expect(batch.reset).toBe(false)
        seen.push(...batch.items)
        const { seq = 0 } = batch.items.at(-1) ?? {}
        if (seq < 20) await fill(hold.bus, 'j', seq + 1, seq + 2)
        else stop.abort()
      }
      expect(seen).toEqual(entries(after + 1, 20))
    })

    it('wait for a journal that does not exist yet', async () => {
      const follower = followerOf(hold.bus, 'j', 0)
      const first = nextOf(follower)
      await hold.clock.advance(0)
      await fill(hold.bus, 'j', 1, 2)
      expect(await first).toEqual({ items: entries(1, 2), first: 1, tail: 2, reset: false })
      await follower.return?.()
    })

    it('lose nothing between a read and a follow while others append', async () => {
      const total = 300
      const write = async () => {
        for (let seq = 1; seq <= total; ) {
          const written = await fill(hold.bus, 'j', seq, seq)
          seq = (written.ok ? written.tail : written.refused) + 1
        }
      }
      const readers = Array.from({ length: 20 }, async (_, n) => {
        for (let turns = 0; turns < n; turns++) await hold.bus.journal.read('j', 0)
        const { items, tail } = await hold.bus.journal.read('j', 0)
        const seen = [...items]
        if (tail === total) return seen
        for await (const batch of hold.bus.journal.follow('j', tail)) {
          seen.push(...batch.items)
          if (batch.tail === total && seen.length >= total) break
        }
        return seen
      })
      const [, , ...seen] = await Promise.all([write(), write(), ...readers])
      for (const each of seen) expect(each).toEqual(entries(1, total))
    })

    it('get batches no larger than their limit', async () => {
      await fill(hold.bus, 'j', 1, 5)
      const sizes = []
      for await (const { items, tail } of hold.bus.journal.follow('j', 0, { limit: 2 })) {
        sizes.push(items.length)
        if (items.at(-1)?.seq === tail) break
      }
      expect(sizes).toEqual([2, 2, 1])
    })

    it('are told of a hole once, then go on without one', async () => {
      await fill(hold.bus, 'j', 1, 10)
      await hold.bus.journal.trim('j', { keep: 2 })
      const follower = followerOf(hold.bus, 'j', 3)
      expect(await nextOf(follower)).toEqual({ items: entries(9, 10), first: 9, tail: 10, reset: true })
      await fill(hold.bus, 'j', 11, 11)
      expect(await nextOf(follower)).toEqual({ items: entries(11, 11), first: 9, tail: 11, reset: false })
      await follower.return?.()
    })

    it('are told of a hole that opens under a slow reader', async () => {
      await fill(hold.bus, 'j', 1, 2)
      const follower = followerOf(hold.bus, 'j', 0)
      expect(await nextOf(follower)).toMatchObject({ items: entries(1, 2), reset: false })
      await fill(hold.bus, 'j', 3, 10)
      await hold.bus.journal.trim('j', { keep: 3 })
      expect(await nextOf(follower)).toMatchObject({ items: entries(8, 10), reset: true })
      await follower.return?.()
    })

    it('are told of a cursor beyond the tail, even of an empty journal', async () => {
      const follower = followerOf(hold.bus, 'j', 7)
      expect(await nextOf(follower)).toEqual({ items: [], first: 1, tail: 0, reset: true })
      await fill(hold.bus, 'j', 1, 1)
      expect(await nextOf(follower)).toMatchObject({ items: entries(1, 1), reset: false })
      await follower.return?.()
    })

    it('are told when the journal is dropped, and follow the new one', async () => {
      await fill(hold.bus, 'j', 1, 3)
      const follower = followerOf(hold.bus, 'j', 3)
      const told = nextOf(follower)
      await hold.clock.advance(0)
      await hold.bus.journal.drop('j')
      expect(await told).toEqual({ items: [], first: 1, tail: 0, reset: true })
      await fill(hold.bus, 'j', 1, 1)
      expect(await nextOf(follower)).toMatchObject({ items: entries(1, 1), reset: false })
      await follower.return?.()
    })

    it.each([
      ['waiting', true],
      ['busy with a batch', false],
    ])(
      'are told when the journal is dropped, though the new one is as long by then, %s',
      async (_, isWaiting) => {
        await fill(hold.bus, 'j', 1, 3)
        const follower = followerOf(hold.bus, 'j', 0)
        await nextOf(follower)
        const waiting = isWaiting ? nextOf(follower) : null
        await hold.clock.advance(0)
        await Promise.all([hold.bus.journal.drop('j'), fill(hold.bus, 'j', 1, 5)])
        expect(await (waiting ?? nextOf(follower))).toMatchObject({ items: entries(1, 5), reset: true })
        await fill(hold.bus, 'j', 6, 6)
        expect(await nextOf(follower)).toMatchObject({ items: entries(6, 6), reset: false })
        await follower.return?.()
      },
    )

    it('are not disturbed by trimming what they have read', async () => {
      await fill(hold.bus, 'j', 1, 3)
      const follower = followerOf(hold.bus, 'j', 3)
      const next = nextOf(follower)
      await hold.clock.advance(0)
      await hold.bus.journal.trim('j', { keep: 0 })
      await fill(hold.bus, 'j', 4, 4)
      expect(await next).toMatchObject({ items: entries(4, 4), reset: false })
      await follower.return?.()
    })

    const ends: [string, (stop: AbortController) => unknown][] = [
      ['their signal aborts', (stop) => stop.abort(new Error('enough'))],
      ['the bus closes', () => hold.bus.close()],
    ]
    it.each(ends)('end quietly when %s, waiting or not', async (_, end) => {
      await fill(hold.bus, 'j', 1, 3)
      const stop = new AbortController()
      const waiting = followerOf(hold.bus, 'j', 3, stop.signal)
      const reading = followerOf(hold.bus, 'j', 0, stop.signal)
      const idle = followerOf(hold.bus, 'j', 0, stop.signal)
      const waits = waiting.next()
      await nextOf(reading)
      await hold.clock.advance(0)
      await end(stop)
      for (const next of [waits, waiting.next(), reading.next(), idle.next()])
        expect((await next).done).toBe(true)
    })

    it('end when their reader leaves, though they wait', async () => {
      const follower = followerOf(hold.bus, 'j', 0)
      const next = follower.next()
      await hold.clock.advance(0)
      expect(await follower.return?.()).toMatchObject({ done: true })
      expect((await next).done).toBe(true)
    })

    it('never begin when their signal has aborted', async () => {
      await fill(hold.bus, 'j', 1, 3)
      expect((await followerOf(hold.bus, 'j', 0, AbortSignal.abort()).next()).done).toBe(true)
    })
  })
}
