import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { describe, expect, it } from 'vitest'
import { openBodies } from './bodies.ts'

const small = {
  BODIES_PER_OWNER: 3,
  BODIES_BYTES_PER_OWNER: 100,
  BODIES_BYTES_MAX: 160,
  BODY_SMALL_BYTES: 5,
  BODY_STALLED_MS: 1_000,
}

function open() {
  const clock = frozenClock()
  const bodies = openBodies(clock, { ...limits, ...small })
  return { clock, bodies, enter: (owner: string, bytes: number) => bodies.enter({ owner, bytes }) }
}

function refusalOf(enter: () => unknown): unknown {
  try {
    enter()
    return null
  } catch (error) {
    return error
  }
}

describe('bodies that are being read', () => {
  verifies('load.bodies', 'are so many of one owner', () => {
    const { enter } = open()
    const slots = [1, 2, 3].map(() => enter('ada', 0))
    expect(() => enter('ada', 0)).toThrow('at most 3 bodies of one owner are read at once')
    enter('bob', 0)
    slots[0]?.release()
    slots[0]?.release()
    enter('ada', 0)
    expect(() => enter('ada', 0)).toThrow()
  })

  verifies('load.bodies', 'have so many bytes of one owner, but a body alone, and small ones', () => {
    const { bodies, enter } = open()
    const long = enter('ada', 120)
    expect(() => enter('ada', 6)).toThrow(
      'the bodies of one owner that are being read may have at most 100 bytes',
    )
    enter('ada', 5).release()
    long.release()
    enter('ada', 60)
    enter('ada', 40)
    expect(() => enter('ada', 10)).toThrow()
    expect(bodies.held).toEqual({ count: 2, bytes: 100, owners: 1 })
  })

  verifies('load.bodies', 'have so many bytes in all, of which the greedy are refused first', () => {
    const { enter } = open()
    enter('ada', 100)
    enter('bob', 60)
    expect(() => enter('cyd', 11)).toThrow(
      'the bodies at once that are being read may have at most 160 bytes',
    )
    enter('cyd', 10)
    expect(() => enter('cyd', 6)).toThrow()
  })

  verifies(
    'load.bodies.frames',
    'count bytes that nobody announced as they come, and no announced ones twice',
    () => {
      const { bodies, enter } = open()
      enter('ada', 60).take(60)
      const frames = enter('ada', 0)
      frames.take(30)
      expect(() => frames.take(30)).toThrow()
      frames.clear()
      frames.take(40)
      frames.release()
      expect(bodies.held).toEqual({ count: 1, bytes: 60, owners: 1 })
    },
  )

  verifies('load.bodies.slow', 'are cut off where nothing comes of them', async () => {
    const { clock, bodies } = open()
    const cut: string[] = []
    let came = 0
    const watch = (name: string, count: () => number) =>
      bodies.enter({ owner: name, bytes: 0, came: count, cut: () => cut.push(name) })
    const slots = [watch('still', () => 7), watch('slow', () => came), watch('whole', () => Number.NaN)]
    watch('gone', () => 7).release()
    for (let n = 0; n < 8; n++) {
      await clock.advance(250)
      came += 1
    }
    expect(cut).toEqual(['still'])
    await clock.advance(1_250)
    expect(cut).toEqual(['still', 'slow'])
    for (const slot of slots) slot.release()
    await clock.advance(250)
    expect([clock.timers, bodies.held]).toEqual([0, { count: 0, bytes: 0, owners: 0 }])
  })

  verifies('load.bodies', 'are counted of one owner until the last of them is over', () => {
    const { bodies, enter } = open()
    const slots = [1, 2, 3].map(() => enter('ada', 0))
    for (const slot of slots.slice(1)) slot.release()
    enter('ada', 0)
    enter('ada', 0)
    expect(refusalOf(() => enter('ada', 0))).toMatchObject({
      code: 'rate_limited',
      details: { retry_after_ms: 1_000 },
    })
    expect(bodies.held).toEqual({ count: 3, bytes: 0, owners: 1 })
  })

  verifies('load.bodies', 'are refused for a byte too many beside a body of one byte', () => {
    const { enter } = open()
    enter('ada', 1)
    enter('ada', 99).release()
    expect(refusalOf(() => enter('ada', 100))).toMatchObject({
      code: 'rate_limited',
      details: { max: 100, retry_after_ms: 1_000 },
    })
  })

  verifies('load.bodies.frames', 'of which one alone may grow past what its owner may have in many', () => {
    const { bodies, enter } = open()
    const frames = enter('ada', 0)
    frames.take(80)
    frames.take(80)
    expect(bodies.held.bytes).toBe(160)
  })

  verifies('load.bodies', 'leave each owner a sixteenth of all where the host is full', () => {
    const clock = frozenClock()
    const bodies = openBodies(clock, { ...limits, ...small, BODIES_BYTES_MAX: 1_600, BODY_SMALL_BYTES: 0 })
    bodies.enter({ owner: 'ada', bytes: 1_600 })
    expect(refusalOf(() => bodies.enter({ owner: 'bob', bytes: 101 }))).toMatchObject({
      details: { max: 1_600 },
    })
    bodies.enter({ owner: 'bob', bytes: 100 })
  })

  verifies(
    'load.bodies.slow',
    'are cut off at the first look after the time, with one timer for all',
    async () => {
      const { clock, bodies } = open()
      const cut: string[] = []
      const watch = (owner: string) =>
        bodies.enter({ owner, bytes: 0, came: () => 7, cut: () => void cut.push(owner) })
      watch('first')
      await clock.advance(1)
      watch('later')
      expect(clock.timers).toBe(1)
      await clock.advance(998)
      expect(cut).toEqual([])
      await clock.advance(1)
      expect(cut).toEqual(['first'])
      await clock.advance(249)
      expect(cut).toEqual(['first'])
      await clock.advance(1)
      expect([cut, clock.timers]).toEqual([['first', 'later'], 0])
    },
  )
})

it('a body alone may have what its route takes', () => {
  expect(limits.BODIES_BYTES_PER_OWNER).toBeGreaterThan(6 * limits.RPC_BODY_MAX_BYTES)
})
