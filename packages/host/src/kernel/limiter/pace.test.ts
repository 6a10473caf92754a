import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { openPace } from './buckets.ts'

const SIZE = { perSecond: 10, burst: 20, keysMax: 10, waitMaxMs: 5_000, waitingMax: 50 }

function open() {
  const clock = frozenClock()
  const pace = openPace(SIZE, clock)
  const came: string[] = []
  const ask = (name: string, key: string, count: number) => {
    const turn = pace.turn(key, count)
    if (turn) void turn.then(() => came.push(name))
    else came.push(name)
  }
  return { clock, pace, came, ask }
}

verifies(
  'load.pace',
  'who takes more than his burst waits until it is made good, others do not',
  async () => {
    const { clock, came, ask } = open()
    for (const name of ['a', 'b', 'c']) ask(name, 'eve', 15)
    ask('other', 'ada', 15)
    // The first two begin while something is left; the third waits for the ten that they owe, and one.
    expect(came).toEqual(['a', 'b', 'other'])
    await clock.advance(1_099)
    expect(came).toHaveLength(3)
    await clock.advance(1)
    expect(came).toEqual(['a', 'b', 'other', 'c'])
    ask('d', 'eve', 1)
    await clock.advance(1_500)
    expect(came).toContain('d')
  },
)

verifies('load.pace', 'over any time a key gets its burst, its rate and what it had begun', async () => {
  const step = fc.record({
    count: fc.integer({ min: 1, max: 24 }),
    after: fc.integer({ min: 0, max: 2_000 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { clock, came, ask } = open()
      const start = clock.now()
      let given = 0
      for (const [at, { count, after }] of steps.entries()) {
        ask('step', 'eve', count)
        while (came.length === at) await clock.advance(50)
        const seconds = (clock.now() - start) / 1_000
        expect(given).toBeLessThan(SIZE.burst + SIZE.perSecond * seconds)
        given += count
        await clock.advance(after)
      }
    }),
  )
})

it('of one key so many wait, and one more hears at once that there is no waiting', async () => {
  const { clock, pace } = open()
  pace.count('eve', 1_000)
  const turns = Array.from({ length: SIZE.waitingMax + 1 }, () => pace.turn('eve', 1))
  expect(await turns.at(-1)).toBe(false)
  expect(pace.turn('ada', 1)).toBeNull()
  await clock.advance(SIZE.waitMaxMs)
  expect(await Promise.all(turns.slice(0, -1))).toEqual(Array(SIZE.waitingMax).fill(true))
})

it('nobody waits longer than the longest wait', async () => {
  const { clock, came, ask } = open()
  ask('first', 'eve', 1_000_000)
  ask('second', 'eve', 1)
  await clock.advance(4_999)
  expect(came).toEqual(['first'])
  await clock.advance(1)
  expect(came).toEqual(['first', 'second'])
  // What is owed beyond that is forgotten, and does not outlast a rest.
  await clock.advance(3_000)
  ask('third', 'eve', 1)
  expect(came).toContain('third')
})

it('what nobody waits for makes the next one wait', async () => {
  const { clock, pace, came, ask } = open()
  pace.count('eve', 30)
  ask('next', 'eve', 1)
  await clock.advance(1_099)
  expect(came).toEqual([])
  await clock.advance(1)
  expect(came).toEqual(['next'])
})

it('lets everybody go when it is closed, and nobody waits after that', async () => {
  const { pace, came, ask } = open()
  for (const name of ['a', 'b', 'c']) ask(name, 'eve', 100)
  pace.close()
  await Promise.resolve()
  ask('d', 'eve', 100)
  expect(came).toEqual(['a', 'd', 'b', 'c'].sort((x, y) => came.indexOf(x) - came.indexOf(y)))
  expect(came).toHaveLength(4)
})
