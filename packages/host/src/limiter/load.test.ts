import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect, it } from 'vitest'
import { openRoutes } from '../http/routes/routes-for-tests.ts'
import { openLoad } from './load.ts'
import { memoryInUse } from './memory.ts'

/** A machine whose clock and memory a test sets. */
function open() {
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
  const load = openLoad({ clock, limits: { ...limits, LOAD_FREE_REQUESTS: 2 }, memory: () => used })
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

verifies('load.shed', 'is refused as rate_limited with the time to wait', async () => {
  const { send } = await openRoutes({ overloaded: () => true })
  const answer = await send('/api/v1/svc-apps/windows')
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1'])
  expect(answer.json.error).toMatchObject({ code: 'rate_limited', details: { by: 'load', retriable: true } })
})

verifies('load.ready', 'readyz says what a host is short of', async () => {
  const { house, send } = await openRoutes()
  expect((await send('/readyz')).json).toEqual({ ok: true })
  Object.assign(house.load, { shortages: ['memory'] })
  const answer = await send('/readyz')
  expect([answer.status, answer.json]).toEqual([503, { ok: false, reasons: ['memory'] }])
})

it('this process uses some of the memory that there is', () => {
  expect(memoryInUse()).toBeGreaterThan(0)
  expect(memoryInUse()).toBeLessThan(1)
})
