import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, expect, it, vi } from 'vitest'
import { createTestHost, type TestHost } from '../index.ts'
import { openActivity } from './activity.ts'
import { openClocks } from './test-clock.ts'

const manifest = {
  schema: 3,
  name: 'App',
  ui: { bundle: { entry: 'index.html' }, views: [{ name: 'main' }], host_api: { storage: ['*'] } },
  required_plugs: ['primes'],
}

let host: TestHost | undefined
afterEach(async () => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  await host?.close()
  host = undefined
})

it('stands still, and fires what falls due in its order, each at its own time', async () => {
  const { test, host: clock, page } = openClocks(1_000, openActivity())
  const fired: string[] = []
  const note = (name: string) => () => fired.push(`${name} at ${test.now()}`)
  clock.setTimer(note('host'), 20)
  page.setTimeout(note('page'), 10)
  page.clearTimeout(page.setTimeout(note('nobody'), 15))
  const stop = clock.setTimer(note('nobody'), 0)
  stop()
  await test.settled()
  expect([fired, clock.now()]).toEqual([[], 1_000])
  await test.advance(20)
  expect([fired, page.now()]).toEqual([['page at 1010', 'host at 1020'], 1_020])
})

it('fires a timer of 0 ms without a move, and what it sets counts from then', async () => {
  const { test, host: clock } = openClocks(0, openActivity())
  const fired: number[] = []
  clock.setTimer(() => clock.setTimer(() => fired.push(test.now()), 5), 0)
  await test.advance(5)
  expect(fired).toEqual([5])
})

it('moves one step after the other', async () => {
  const { test, host: clock } = openClocks(0, openActivity())
  const fired: number[] = []
  for (const ms of [10, 30]) clock.setTimer(() => fired.push(test.now()), ms)
  await Promise.all([test.advance(20), test.advance(20)])
  expect([fired, test.now()]).toEqual([[10, 30], 40])
})

it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses to move by %d ms', async (ms) => {
  const { test } = openClocks(0, openActivity())
  await expect(test.advance(ms)).rejects.toMatchObject({
    name: 'TestHostError',
    message: expect.stringContaining(`clock.advance takes ms of at least 0, got ${ms}\n`),
  })
  expect(test.now()).toBe(0)
})

it('moves on after a clock that follows has failed, and without any once they are released', async () => {
  const { test, release } = openClocks(0, openActivity())
  let isGone = true
  const followed: number[] = []
  test.follow(async (ms) => {
    if (isGone) throw new Error('the browser is gone')
    followed.push(ms)
  })
  await expect(test.advance(10)).rejects.toThrow('the browser is gone')
  isGone = false
  await test.advance(1_500)
  release()
  await test.advance(10)
  expect([followed, test.now()]).toEqual([[1_000, 500], 1_520])
})

it('moves the client, the page, the host and its tools together', async () => {
  const steps: string[] = []
  host = await createTestHost({
    manifest,
    tools: {
      primes: {
        count: async (_, { remainingMs, signal }) => {
          steps.push(`the tool has ${remainingMs()} ms`)
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          steps.push(`the tool has ${remainingMs()} ms`)
          throw signal.reason
        },
      },
    },
  })
  const { svc } = await host.openWindow()
  const call = { tool_id: 'primes', method: 'count', timeoutMs: 2_000 }
  const late = svc.tools.invoke(call).catch(({ code }) => steps.push(code))
  await host.clock.advance(4_000)
  await late
  expect(steps.splice(0)).toEqual(['the tool has 2000 ms', 'the tool has 0 ms', 'tool_timeout'])
  const given = svc.tools.invoke(call, { timeoutMs: 500 }).catch(({ code }) => steps.push(code))
  await host.clock.advance(500)
  await given
  expect(steps).toEqual(['the tool has 2000 ms', 'timeout', 'the tool has 1500 ms'])
  // Ten minutes of heartbeats: a window that gave none would be stale.
  await host.clock.advance(600_000)
  expect(await host.host.windows.list('ada')).toMatchObject([{ status: 'open' }])
})

/** What sets a timer while it works, and whatever follows from that, is watched. */
const watched = new AsyncLocalStorage<true>()

/**
 * Returns where each timer was set from now on that has not been cleared; time stands still, so that none fires. Those of
 * other files of this worker, which may still have work under way, are not watched.
 */
function watchTimers(): () => readonly string[] {
  const places = new Map<unknown, string>()
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const set: (run: () => void, ms?: number) => unknown = globalThis[name]
    vi.spyOn(globalThis, name).mockImplementation(((run: () => void, ms?: number) => {
      const timer = set(run, ms)
      if (watched.getStore()) places.set(timer, String(new Error(`${name} ${ms} ms`).stack))
      return timer
    }) as never)
  }
  for (const name of ['clearTimeout', 'clearInterval'] as const) {
    const clear: (timer: never) => void = globalThis[name]
    vi.spyOn(globalThis, name).mockImplementation(((timer: never) => {
      places.delete(timer)
      clear(timer)
    }) as never)
  }
  return () => [...places.values()]
}

it('needs no timer and no time of the machine', async () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  })
  const timers = watchTimers()
  await watched.run(true, async () => {
    host = await createTestHost({
      manifest,
      tools: { primes: { count: (_, { progress }) => progress(1) } },
    })
    expect(timers(), 'the host measures its load').toHaveLength(1)
    const { svc } = await host.openWindow()
    await svc.storage.set({ key: 'a', value: 1 })
    const job = svc.tools.invokeAsyncAwait({ tool_id: 'primes', method: 'count' })
    await host.clock.advance(200_000)
    await job
    expect(await svc.storage.get({ key: 'a' })).toMatchObject({ value: 1 })
    await host.close()
  })
  expect(timers()).toEqual([])
})
