import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openPoolBed } from '../testing/pool.ts'
import { NOBODY } from './groups.ts'
import type { PooledProcess } from './process-request.ts'
import type { Worker } from './worker.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))
const isAlive = async (worker: Worker) => (await Promise.race([worker.ended, 'alive'])) === 'alive'

describe('processes of apps', () => {
  verifies('wall.plugin.apps_apart', 'never serves two apps, nor an app and none', async () => {
    const { made, pool, get } = openPoolBed()
    for (const more of [{ appId: 'a' }, { appId: 'b' }, {}, { appId: 'a' }, { appId: 'b' }, {}])
      pool.release(await get(more))
    expect(made).toHaveLength(3)
  })
})

describe('the process of a session', () => {
  const one = { appId: 'a', session: 'win_1' }

  verifies('plugin.session', 'is its own, serves call after call in order, and has no spare', async () => {
    const { clock, made, pool, get, wish } = openPoolBed()
    pool.release(await get(one))
    const place = await get(one)
    const order: number[] = []
    const waiting = [1, 2, 3].map(async (n) => {
      const next = (await pool.acquire(wish(one))) as PooledProcess
      order.push(n)
      pool.release(next)
      return next.worker
    })
    await clock.advance(0)
    expect(made).toHaveLength(1)
    pool.release(place)
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(made))
    expect(order).toEqual([1, 2, 3])
    pool.release(await get({ ...one, session: 'win_2' }))
    expect(made).toHaveLength(2)
  })

  verifies('plugin.session', 'lives until its session ends, however long nobody calls', async () => {
    const { clock, made, pool, get } = openPoolBed()
    pool.release(await get(one))
    pool.release(await get({ ...one, session: 'win_2' }))
    await clock.advance(100 * limits.POOL_IDLE_MS)
    pool.release(await get(one))
    expect(made).toHaveLength(2)
    pool.endSessions({ userId: 'ada', session: 'win_1' })
    await settled()
    expect(await Promise.all(made.map(isAlive))).toEqual([false, true])
    pool.endSessions({})
    await settled()
    expect(pool.stats()).toEqual({ processes: 0, busy: 0, waiting: 0 })
    expect(clock.timers).toBe(0)
  })

  it('ends after the call under way where its session ended meanwhile', async () => {
    const { pool, get } = openPoolBed()
    const place = await get(one)
    pool.endSessions({ userId: 'ada', session: 'win_1' })
    expect(await isAlive(place.worker)).toBe(true)
    pool.release(place)
    await settled()
    expect(pool.stats().processes).toBe(0)
  })

  it.each([
    ['of another user', { userId: 'bob' }],
    ['of another plugin', { pluginId: 'tool-b' }],
    ['another', { session: 'win_2' }],
  ])('does not end with a session %s', async (_, which) => {
    const { pool, get } = openPoolBed()
    const place = await get(one)
    pool.release(place)
    pool.endSessions(which)
    expect(await isAlive(place.worker)).toBe(true)
  })

  it('begins again only when the one before is gone', async () => {
    const { made, pool, get, wish } = openPoolBed()
    const place = await get(one)
    let gone = () => {}
    pool.drop(place, new Promise<void>((resolve) => (gone = resolve)))
    const next = pool.acquire(wish(one))
    await settled()
    expect(made).toHaveLength(1)
    await place.worker.kill()
    gone()
    expect(((await next) as PooledProcess).worker).toBe(made[1])
  })

  verifies(
    'plugin.session.room',
    'that was used longest ago gives way, and its session is told of',
    async () => {
      const { clock, gaveWay, pool, get } = openPoolBed({ POOL_PER_RUNNER: 2 })
      for (const session of ['win_1', 'win_2']) {
        pool.release(await get({ ...one, session }))
        await clock.advance(1)
      }
      pool.release(await get({ ...one, session: 'win_3' }))
      expect(gaveWay).toEqual(['win_1'])
    },
  )

  verifies('plugin.session.room', 'of one user gives way to his own, not those of others', async () => {
    const { clock, gaveWay, pool, get } = openPoolBed({ POOL_PER_RUNNER: 8, POOL_SESSIONS_PER_USER: 3 })
    pool.release(await get({ ...one, userId: 'bob', session: 'bobs' }))
    for (let n = 0; n < 40; n++) {
      await clock.advance(1)
      pool.release(await get({ ...one, session: `win_${n}` }))
      await settled()
    }
    expect(gaveWay).toEqual(Array.from({ length: 37 }, (_, n) => `win_${n}`))
    expect(pool.stats().processes).toBe(4)
  })

  verifies('plugin.session.room', 'of one app gives way to its own, not those of other apps', async () => {
    const { clock, gaveWay, pool, get } = openPoolBed({ POOL_SESSIONS_PER_USER: 8 })
    for (const session of ['b_1', 'b_2']) pool.release(await get({ appId: 'b', session }))
    for (let n = 0; n < 20; n++) {
      await clock.advance(1)
      pool.release(await get({ ...one, session: `a_${n}` }))
    }
    expect(gaveWay).toEqual(Array.from({ length: 14 }, (_, n) => `a_${n}`))
    // An app with fewer gets the place of one that has more, and never that of one with as many.
    for (const session of ['b_3', 'b_4', 'b_5']) {
      await clock.advance(1)
      pool.release(await get({ appId: 'b', session }))
    }
    expect(gaveWay.slice(14)).toEqual(['a_14', 'a_15', 'b_1'])
  })

  it('finds room where another app keeps all that it may at work', async () => {
    const { pool, get, wish } = openPoolBed({ POOL_SESSIONS_PER_USER: 8 })
    for (let n = 0; n < 6; n++) await get({ ...one, session: `a_${n}` })
    const more = pool.acquire(wish({ ...one, session: 'a_6' }))
    expect(await get({ appId: 'b', session: 'b_1' })).toMatchObject({ isFresh: true })
    expect(pool.stats()).toMatchObject({ busy: 7, waiting: 1 })
    pool.endSessions({})
    await pool.close()
    expect(await more).toBe('closed')
  })

  it('waits where all of its user are busy', async () => {
    const { pool, get, wish } = openPoolBed({ POOL_SESSIONS_PER_USER: 2 })
    const first = await get({ ...one, session: 'win_1' })
    await get({ ...one, session: 'win_2' })
    const third = pool.acquire(wish({ ...one, session: 'win_3' }))
    await settled()
    expect(pool.stats()).toEqual({ processes: 2, busy: 2, waiting: 1 })
    pool.release(first)
    expect(await third).toMatchObject({ isFresh: true })
  })
})

verifies(
  'plugin.described',
  'a process that was described serves whoever calls first, and nobody else',
  async () => {
    const { made, pool, get } = openPoolBed()
    pool.release(await get({ userId: NOBODY }))
    const place = await get({ appId: 'a', session: 'win_1' })
    expect(place.worker).toBe(made[0])
    pool.release(place)
    pool.release(await get({ userId: 'bob' }))
    pool.release(await get({ userId: NOBODY }))
    expect(made).toHaveLength(3)
  },
)

const users = ['ada', 'bob']
const apps = ['a', 'b', undefined]
const sessions = ['s1', 's2', 's3', undefined]
const acts = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.constant('call'), fc.nat(1), fc.nat(2), fc.nat(3)) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('release'), fc.nat(9), fc.nat(), fc.nat()) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('describe'), fc.nat(1), fc.nat(), fc.nat()) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('drop'), fc.nat(9), fc.nat(), fc.nat()) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('abort'), fc.nat(9), fc.nat(), fc.nat()) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('end'), fc.nat(1), fc.nat(2), fc.nat(3)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('crash'), fc.nat(9), fc.nat(), fc.nat()) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('advance'), fc.nat(120_000), fc.nat(), fc.nat()) },
)

verifies(
  ['plugin.session', 'wall.plugin.apps_apart'],
  'whatever happens, a process serves one user, app and session, one call at a time, and everything ends',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { maxLength: 60 }), async (steps) => {
        const { clock, made, pool, wish } = openPoolBed({ POOL_PER_RUNNER: 4, POOL_SESSIONS_PER_USER: 3 })
        const served = new Map<Worker, string>()
        const held = new Set<PooledProcess>()
        const aborts: AbortController[] = []
        const wrong: string[] = []
        const ask = async (more: Parameters<typeof wish>[0], whose: string | null) => {
          const abort = new AbortController()
          aborts.push(abort)
          const place = await pool.acquire(
            wish({ ...more, signal: abort.signal, deadlineMs: clock.now() + 90_000 }),
          )
          if (typeof place === 'string') return
          for (const other of held) if (other.worker === place.worker) wrong.push('two calls at once')
          const before = served.get(place.worker)
          if (whose !== null && before !== undefined && before !== whose) wrong.push(`${before} and ${whose}`)
          if (whose === null && before !== undefined) wrong.push(`${before} was described`)
          if (whose !== null) served.set(place.worker, whose)
          held.add(place)
        }
        const nth = (n: number) => [...held][n % Math.max(1, held.size)]
        for (const [act, a, b, c] of steps) {
          const [userId = '', appId, session] = [users[a % 2], apps[b % 3], sessions[c % 4]]
          const place = nth(a)
          if (act === 'call') void ask({ userId, appId, session }, `${userId} ${appId} ${session}`)
          else if (act === 'describe') void ask({ userId: NOBODY }, null)
          else if (act === 'advance') await clock.advance(a)
          else if (act === 'end') pool.endSessions({ userId, session })
          else if (act === 'abort') aborts[a % Math.max(1, aborts.length)]?.abort()
          else if (act === 'crash') await made[a % Math.max(1, made.length)]?.kill()
          else if (place) {
            held.delete(place)
            if (act === 'release') pool.release(place)
            else pool.drop(place, place.worker.kill())
          }
          await settled()
          if (pool.stats().processes > 4) wrong.push('too many processes')
        }
        expect(wrong).toEqual([])
        // All calls end, then all sessions: nothing is left, and no timer.
        for (let n = 0; n < 200 && (held.size > 0 || pool.stats().waiting > 0); n++) {
          for (const place of held) pool.release(place)
          held.clear()
          await settled()
        }
        expect(pool.stats()).toMatchObject({ busy: 0, waiting: 0 })
        pool.endSessions({})
        await clock.advance(3 * limits.POOL_IDLE_MS)
        await settled()
        await clock.advance(3 * limits.POOL_IDLE_MS)
        await settled()
        expect(wrong).toEqual([])
        expect(pool.stats().processes).toBe(0)
        expect(clock.timers).toBe(0)
      }),
      { numRuns: rounds(300) },
    )
  },
)
