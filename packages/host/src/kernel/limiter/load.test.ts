import { verifies } from '@svc/conformance/verifies'
import { type Limits, limits } from '@svc/contract'
import { expect, it } from 'vitest'
import { openRoutes } from '../../testing/routes.ts'
import { memoryInUse, openLoad, partInUse } from './load.ts'

/** A machine whose clock and memory a test sets. */
function open(more: Partial<Limits> = {}) {
  let time = 0
  let used = 0
  let tick = () => {}
  const clock = {
    now: () => time,
    setTimer(fn: () => void) {
      tick = fn
      return () => {
        tick = () => {}
      }
    },
  }
  const load = openLoad({ clock, limits: { ...limits, LOAD_FREE_REQUESTS: 2, ...more }, memory: () => used })
  return {
    load,
    /** Samples after a delay, with that part of the memory in use. */
    sample(lagMs: number, memory = 0) {
      time += limits.LOAD_SAMPLE_MS + lagMs
      used = memory
      tick()
    },
  }
}

verifies('load.shed', 'a host is short of an event loop that is late three times, and of memory', () => {
  const { load, sample } = open()
  sample(limits.LOAD_LAG_MAX_MS)
  sample(limits.LOAD_LAG_MAX_MS)
  expect(load.shortages).toEqual([])
  sample(limits.LOAD_LAG_MAX_MS, 0.95)
  expect([load.shortages, load.lagMs]).toEqual([['memory', 'event_loop'], limits.LOAD_LAG_MAX_MS])
  sample(0)
  expect(load.shortages).toEqual([])
})

verifies('load.shed', 'the greediest are refused first, and nobody while the host is well', () => {
  const { load, sample } = open()
  const ask = (who: string, times: number) => Array.from({ length: times }, () => load.isTooMuch(who)).at(-1)
  expect(ask('eve', 1_000)).toBe(false)
  ask('ada', 10)
  sample(0, 0.95)
  expect([ask('ada', 10), ask('eve', 400), ask('eve', 200)]).toEqual([false, false, true])
  expect(ask('bob', 2)).toBe(false)
  sample(0)
  expect(ask('eve', 1_000)).toBe(false)
})

verifies('load.shed', 'a lone user is refused where memory is short, and not where he is slow', () => {
  const { load, sample } = open()
  const ask = (times: number) => Array.from({ length: times }, () => load.isTooMuch('ada')).at(-1)
  for (let n = 0; n < 3; n++) sample(limits.LOAD_LAG_MAX_MS)
  expect(ask(100)).toBe(false)
  sample(0, 0.95)
  expect([ask(2), ask(60)]).toEqual([false, true])
})

verifies('load.shed', 'only samples in a row that are late are a shortage of time', () => {
  const { load, sample } = open()
  expect(load.lagMs).toBe(0)
  const late = [true, false, true, true].map((isLate) => {
    sample(isLate ? limits.LOAD_LAG_MAX_MS : limits.LOAD_LAG_MAX_MS - 1)
    return load.shortages.length
  })
  expect(late).toEqual([0, 0, 0, 0])
  sample(limits.LOAD_LAG_MAX_MS)
  expect(load.shortages).toEqual(['event_loop'])
  sample(0)
  expect(load.lagMs).toBe(0)
  sample(-5)
  expect(load.lagMs).toBe(0)
})

verifies.each('load.shed')([
  [0.5, ['memory']],
  [0.4999, []],
])('of memory %d is in use, of which a half may be: %j', (used, shortages) => {
  const { load, sample } = open({ LOAD_MEMORY_PERCENT: 50 })
  sample(0, used)
  expect(load.shortages).toEqual(shortages)
})

/** How many requests of ada pass where memory is short, after others asked. */
function passedOf({ load }: ReturnType<typeof open>): number {
  let passed = 0
  while (passed < 100 && !load.isTooMuch('ada')) passed += 1
  return passed
}

verifies.each('load.shed')([
  [0, 2],
  [1, 2],
  [6, 3],
  [9, 4],
  [10, 5],
])('who asked %i times in the sample before may ask %i times', (before, passes) => {
  const bed = open()
  for (let n = 0; n < before; n++) bed.load.isTooMuch('ada')
  bed.sample(0, 0.95)
  expect(passedOf(bed)).toBe(passes)
})

verifies('load.shed', 'a share is of what all asked for in the sample', () => {
  const bed = open()
  bed.sample(0, 0.95)
  for (let n = 0; n < 3; n++) bed.load.isTooMuch('bob')
  expect(passedOf(bed)).toBe(3)
  bed.load.close()
  bed.sample(9)
  expect(bed.load.lagMs).toBe(0)
})

verifies('load.shed', 'is refused as rate_limited with the time to wait', async () => {
  const { send } = await openRoutes({ overloaded: () => true })
  const answer = await send('/api/v1/svc-apps/windows')
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1'])
  expect(answer.json.error).toMatchObject({ code: 'rate_limited', details: { by: 'load', retriable: true } })
})

verifies('load.ready', 'readyz says what a host is short of', async () => {
  const { services, send } = await openRoutes()
  expect((await send('/readyz')).json).toEqual({ ok: true })
  Object.assign(services.load, { shortages: ['memory'] })
  const answer = await send('/readyz')
  expect([answer.status, answer.json]).toEqual([503, { ok: false, reasons: ['memory'] }])
})

it.each([
  ['the heap, where that is the shorter', 90, 90, 0, 0.9],
  ['the machine', 1, 500, 0, 0.5],
  ['a container within it', 1, 100, 200, 0.5],
  ['the machine, where the bound of the container is wider', 1, 500, 5_000, 0.5],
  ['a container of its size', 1, 500, 1_000, 0.5],
])('memory in use is the part of %s', (_name, heap, rss, container, part) => {
  expect(partInUse({ heap, heapMost: 100, rss, container, machine: 1_000 })).toBe(part)
})

it('this process uses some of the memory that there is', () => {
  expect(memoryInUse()).toBeGreaterThan(0)
  expect(memoryInUse()).toBeLessThan(1)
})
