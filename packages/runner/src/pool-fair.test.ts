import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { PooledProcess } from './calls/process-request.ts'
import { openPoolBed } from './testing/pool.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))
/** Users whose calls hold every place at first, so that all others wait. */
const HOLDERS = ['h0', 'h1', 'h2']
const users = fc.constantFrom('eve', 'eve', 'eve', 'ada', 'bob', 'cem')

verifies(
  'load.fair',
  'whoever holds none has the k-th free place at the latest, where k users wait, whatever others queue',
  async () => {
    const lines = fc.array(users, { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(lines, fc.array(users, { maxLength: 20 }), async (line, later) => {
        const { pool, get, wish } = openPoolBed({ POOL_PER_RUNNER: HOLDERS.length, POOL_PER_PLUGIN: 8 })
        const free = await Promise.all(HOLDERS.map((userId) => get({ userId })))
        /** How many places were freed since the first call of a user waits, and how many that may be. */
        const waits = new Map<string, { freed: number; most: number }>()
        const waiting: string[] = []
        const late: string[] = []
        const ask = (userId: string) => {
          waiting.push(userId)
          const others = new Set(waiting)
          if (!waits.has(userId)) waits.set(userId, { freed: 0, most: others.size })
          void pool.acquire(wish({ userId })).then((place) => {
            waiting.splice(waiting.indexOf(userId), 1)
            const { freed, most } = waits.get(userId) ?? { freed: 0, most: Number.POSITIVE_INFINITY }
            if (freed > most) late.push(userId)
            waits.set(userId, { freed: 0, most: Number.POSITIVE_INFINITY })
            free.push(place as PooledProcess)
          })
        }
        for (const userId of line) ask(userId)
        for (let next = free.shift(); next && waiting.length > 0; next = free.shift()) {
          for (const wait of waits.values()) wait.freed += 1
          pool.release(next)
          // A process of another user is ended before one of the next user starts.
          for (let n = 0; n < 4; n += 1) await settled()
          const one = later.pop()
          if (one) ask(one)
        }
        expect([waiting, late]).toEqual([[], []])
        await pool.close()
      }),
      { numRuns: rounds(100) },
    )
  },
)
