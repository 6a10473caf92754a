import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { describe, expect, it } from 'vitest'
import { openPoolBed } from '../testing/pool.ts'
import type { PooledProcess } from './process-request.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('the pool', () => {
  verifies('wall.plugin.user', 'uses a warm process again, for the same user and version only', async () => {
    const { made, pool, plugin, get } = openPoolBed()
    for (const more of [{}, {}, { plugin: { ...plugin } }]) pool.release(await get(more))
    expect(made).toHaveLength(1)
    const others = [
      { userId: 'bob' },
      { plugin: { ...plugin, version: '2' } },
      { plugin: { ...plugin, env: { A: '1' } } },
    ]
    for (const more of others) pool.release(await get(more))
    expect(made).toHaveLength(4)
  })

  verifies(
    ['wall.plugin.pool', 'wall.plugin.one_call'],
    'starts four for a user and plugin; the next ones wait their turn',
    async () => {
      const { made, pool, wish, get } = openPoolBed()
      const places = await Promise.all([get(), get(), get(), get()])
      const order: string[] = []
      const fifth = pool.acquire(wish()).then((place) => order.push('fifth') && place)
      const sixth = pool.acquire(wish()).then((place) => order.push('sixth') && place)
      expect(pool.stats()).toEqual({ processes: 4, busy: 4, waiting: 2 })
      pool.release(places[0] as PooledProcess)
      expect(await fifth).toMatchObject({ worker: made[0] })
      pool.release(places[1] as PooledProcess)
      expect(await sixth).toMatchObject({ worker: made[1] })
      expect(order).toEqual(['fifth', 'sixth'])
    },
  )

  verifies(
    'decision.pool.wait_counts',
    'ends a wait at the deadline, at the abort and at the close',
    async () => {
      const { clock, pool, wish, get } = openPoolBed({ POOL_PER_PLUGIN: 1 })
      await get()
      const late = pool.acquire(wish({ deadlineMs: clock.now() + 100 }))
      const controller = new AbortController()
      const aborted = pool.acquire(wish({ signal: controller.signal }))
      const closed = pool.acquire(wish())
      await clock.advance(100)
      controller.abort()
      expect(await late).toBe('late')
      expect(await aborted).toBe('aborted')
      await pool.close()
      expect(await closed).toBe('closed')
      expect(await pool.acquire(wish())).toBe('closed')
      expect(clock.timers).toBe(0)
    },
  )

  it('does not give a process to a call whose deadline has passed', async () => {
    const { clock, made, pool, wish } = openPoolBed()
    expect(await pool.acquire(wish({ deadlineMs: clock.now() }))).toBe('late')
    expect(made).toHaveLength(0)
  })

  verifies(
    'wall.plugin.pool',
    'makes room for another plugin by ending the one that has been idle longest',
    async () => {
      const { clock, pool, get } = openPoolBed({ POOL_PER_RUNNER: 2 })
      const [first, second] = [await get({ userId: 'a' }), await get({ userId: 'b' })]
      pool.release(first)
      await clock.advance(1)
      pool.release(second)
      await get({ userId: 'c', deadlineMs: clock.now() + 10 })
      expect(pool.stats()).toMatchObject({ processes: 2, busy: 1 })
      pool.release(await get({ userId: 'b' }))
      expect(pool.stats()).toMatchObject({ processes: 2, busy: 1 })
      expect(await Promise.race([first.worker.ended, 'alive'])).not.toBe('alive')
      expect(await Promise.race([second.worker.ended, 'alive'])).toBe('alive')
    },
  )

  verifies(
    'load.pool.reserve',
    'leaves places to those who hold none, however many calls one user has',
    async () => {
      const { pool, get, wish } = openPoolBed({ POOL_PER_RUNNER: 8, POOL_PER_PLUGIN: 8, POOL_RESERVE: 2 })
      const hanging = Array.from({ length: 16 }, () => pool.acquire(wish({ userId: 'eve' })))
      expect(pool.stats()).toMatchObject({ busy: 6, waiting: 10 })
      const ada = await get()
      expect(pool.stats()).toMatchObject({ busy: 7, waiting: 10 })
      await get({ userId: 'bob' })
      // The reserve is for a first place.
      void pool.acquire(wish())
      expect(pool.stats()).toMatchObject({ busy: 8, waiting: 11 })
      pool.release(ada)
      await settled()
      expect(pool.stats()).toMatchObject({ busy: 8, waiting: 10 })
      pool.release((await hanging[0]) as PooledProcess)
      await settled()
      expect(pool.stats()).toMatchObject({ busy: 7, waiting: 10 })
    },
  )

  verifies('load.pool.share', 'gives a place to the user who holds the fewest', async () => {
    const { pool, get, wish } = openPoolBed({ POOL_PER_RUNNER: 3, POOL_PER_PLUGIN: 8 })
    const held = [await get({ userId: 'eve' }), await get({ userId: 'eve' }), await get({ userId: 'eve' })]
    const order: string[] = []
    const ask = async (userId: string) => {
      const place = await pool.acquire(wish({ userId }))
      order.push(userId)
      return place
    }
    for (const userId of ['eve', 'eve', 'ada', 'ada', 'bob']) void ask(userId)
    for (const place of held) {
      pool.release(place)
      // Processes of another user are ended before one of the next user starts.
      for (let n = 0; n < 4; n++) await settled()
    }
    expect(order).toEqual(['ada', 'bob', 'eve'])
  })

  it('lets those wait who cannot go, and no one else', async () => {
    const { pool, get, wish } = openPoolBed({ POOL_PER_PLUGIN: 1 })
    const ada = await get()
    const waiting = pool.acquire(wish())
    const bob = await get({ userId: 'bob' })
    expect(bob.worker).not.toBe(ada.worker)
    pool.release(ada)
    expect(await waiting).toMatchObject({ worker: ada.worker })
  })

  it('does not keep a process in doubt', async () => {
    const { made, pool, get } = openPoolBed()
    const place = await get()
    place.worker.talk.onLine(new TextEncoder().encode('{"id":"stale","result":{}}'))
    pool.release(place)
    pool.release(await get())
    expect(made).toHaveLength(2)
  })

  verifies(
    'wall.plugin.pool',
    'keeps a spare beside a plugin in recent use, and lets all of it go after 60 s without use',
    async () => {
      const { clock, made, pool, get } = openPoolBed()
      pool.release(await get())
      const place = await get()
      await clock.advance(0)
      expect(made).toHaveLength(2)
      await clock.advance(limits.POOL_IDLE_MS - 1)
      pool.release(place)
      await clock.advance(1)
      await settled()
      expect(pool.stats().processes).toBe(1)
      await clock.advance(limits.POOL_IDLE_MS)
      await settled()
      expect(pool.stats().processes).toBe(0)
      expect(clock.timers).toBe(0)
    },
  )

  it('leaves nothing of a user and plugin after 60 s without use', async () => {
    const { clock, forgotten, pool, get } = openPoolBed()
    const place = await get()
    const { key } = place.group
    pool.release(place)
    await clock.advance(limits.POOL_IDLE_MS)
    await settled()
    expect(forgotten).toEqual([key])
    const again = await get()
    expect(again.group).not.toBe(place.group)
    expect(again.group.key).toBe(key)
  })

  it('leaves nothing of one whose process was never given back', async () => {
    const { clock, forgotten, pool, get } = openPoolBed()
    const place = await get()
    pool.drop(place, place.worker.kill())
    await settled()
    expect(forgotten).toEqual([place.group.key])
    expect(clock.timers).toBe(0)
  })

  it('leaves nothing of one whose processes were all in doubt, once the last is gone', async () => {
    const { clock, forgotten, pool, get } = openPoolBed()
    const place = await get()
    place.worker.talk.onLine(new TextEncoder().encode('{"id":"stale","result":{}}'))
    pool.release(place)
    await settled()
    expect(forgotten).toEqual([])
    await clock.advance(limits.POOL_IDLE_MS)
    expect(forgotten).toEqual([place.group.key])
    expect(clock.timers).toBe(0)
  })

  it('keeps what is in use, and what a process still ends in', async () => {
    const { clock, forgotten, pool, get } = openPoolBed()
    const [ending, busy] = [await get(), await get({ userId: 'bob' })]
    let gone = () => {}
    pool.drop(ending, new Promise<void>((resolve) => (gone = resolve)))
    await clock.advance(2 * limits.POOL_IDLE_MS)
    await settled()
    expect(forgotten).toEqual([])
    await ending.worker.kill()
    gone()
    await settled()
    expect(forgotten).toEqual([ending.group.key])
    expect((await get({ userId: 'bob' })).group).toBe(busy.group)
  })

  it('forgets a process that ends by itself', async () => {
    const { made, pool, get } = openPoolBed()
    const place = await get()
    pool.release(place)
    await place.worker.kill()
    await settled()
    expect(pool.stats().processes).toBe(0)
    await get()
    expect(made).toHaveLength(2)
  })
})
