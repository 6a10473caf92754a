import { setTimeout as sleep } from 'node:timers/promises'
import { HEARTBEAT_INTERVAL_MS } from '@svc/contract/browser'
import { spread } from '../lib/pairs.ts'
import { type Result, resultOf } from '../lib/result.ts'
import type { Contender } from './contender.ts'
import { inWords, percentiles } from './percentiles.ts'

const TICK_MS = 10
const NOISE = 0.1
/** How often another user calls meanwhile. */
const CALL_MS = 20

/** Has every window beat at its interval for some seconds, at all contenders at once; prints the load, and the calls of another. */
export async function beatAll(all: readonly Contender[], seconds: number): Promise<Result> {
  const idle = await shares(all, () => sleep(5_000))
  const loads = all.map(() => [] as number[])
  const trips = all.map(() => [] as number[])
  await Promise.all(all.map(({ server }) => server.figures('watch')))
  const stop = new AbortController()
  const running = all.flatMap((one, at) => [
    beat(one, stop.signal),
    callOn(one, trips[at] ?? [], stop.signal),
  ])
  for (let second = 0; second < seconds; second++)
    for (const [at, share] of (await shares(all, () => sleep(1_000))).entries()) loads[at]?.push(share)
  stop.abort()
  await Promise.all(running)
  console.log(
    `\n${all[0]?.pages.flatMap(({ windows }) => windows).length} windows beat every ${HEARTBEAT_INTERVAL_MS / 1_000} s for ${seconds} s`,
  )
  for (const [at, { server }] of all.entries()) {
    const { q1, median, q3 } = spread(loads[at] ?? [])
    const { longestTurnMs } = await server.figures()
    console.log(
      `  ${server.name.padEnd(24)} ${median.toFixed(1)} [${q1.toFixed(1)} – ${q3.toFixed(1)}] % of a core, idle ${idle[at]?.toFixed(1)} %; longest turn ${longestTurnMs.toFixed(1)} ms; a call of another: ${inWords(percentiles(trips[at] ?? []))}`,
    )
  }
  return resultOf({
    title: 'windows: heartbeats of all',
    unit: '% of a core',
    better: 'less',
    noise: NOISE,
    figures: Object.fromEntries(all.map(({ server }, at) => [server.name, spread(loads[at] ?? [])])),
  })
}

/** What part of a core each uses meanwhile, in percent. */
async function shares(all: readonly Contender[], meanwhile: () => Promise<unknown>): Promise<number[]> {
  const begin = performance.now()
  const before = await Promise.all(all.map(({ server }) => server.figures()))
  await meanwhile()
  const after = await Promise.all(all.map(({ server }) => server.figures()))
  const tookUs = (performance.now() - begin) * 1_000
  return after.map(({ cpuUs }, at) => ((cpuUs - (before[at]?.cpuUs ?? 0)) / tookUs) * 100)
}

async function beat({ pages }: Contender, signal: AbortSignal): Promise<void> {
  const windows = pages.flatMap((page) => page.windows.map((window) => ({ page, window })))
  const begin = performance.now()
  for (let sent = 0; !signal.aborted; await sleep(TICK_MS)) {
    const due = ((performance.now() - begin) / HEARTBEAT_INTERVAL_MS) * windows.length
    for (; sent < due; sent++) {
      const next = windows[sent % windows.length]
      if (next) void next.page.call(next.window, 'heartbeat')
    }
  }
}

async function callOn({ pages }: Contender, trips: number[], signal: AbortSignal): Promise<void> {
  const page = pages.at(-1)
  const window = page?.windows[0]
  while (page && window && !signal.aborted) {
    const begin = performance.now()
    await page.call(window, 'heartbeat')
    trips.push(performance.now() - begin)
    await sleep(CALL_MS)
  }
}
