import { setTimeout as sleep } from 'node:timers/promises'
import { type Result, resultOf } from '../lib/result.ts'
import type { Contender } from './contender.ts'
import type { Page } from './page.ts'
import { inWords, percentiles } from './percentiles.ts'

const PAUSE_MS = 2
/** The slow end lies far apart in two runs. */
const NOISE = 0.5

type Trip = (one: Contender, page: Page, n: number) => Promise<unknown>

/** From the call that sets the title of a window until its page hears of that. */
export const eventsToOne = (all: readonly Contender[], count: number) =>
  measure('from a call to its event in the page', all, count, (_, page, n) => {
    const title = `title ${n}.`
    const heard = page.hears(title)
    const window = page.windows[n % page.windows.length]
    return window ? Promise.all([page.call(window, 'set_title', { title }), heard]) : heard
  })

/** From the request that opens a window until its first call is answered. */
export const coldWindows = (all: readonly Contender[], count: number) =>
  measure('from the request for a window to its first answer', all, count, async (one, page) =>
    page.call(await one.openWindow(page), 'hello'),
  )

/** Does trips of all contenders in turns, each of a page that is drawn anew; prints how long they took. */
async function measure(what: string, all: readonly Contender[], count: number, trip: Trip): Promise<Result> {
  const times = all.map(() => [] as number[])
  for (let n = 0; n < count; n++)
    for (const [at, one] of all.entries()) {
      const page = one.pages[Math.floor(Math.random() * one.pages.length)]
      if (!page) continue
      const begin = performance.now()
      await trip(one, page, n)
      times[at]?.push(performance.now() - begin)
      await sleep(PAUSE_MS)
    }
  const found = all.map(({ server }, at) => [server.name, percentiles(times[at] ?? [])] as const)
  console.log(`\n${what}, ${count} times`)
  for (const [name, of] of found) console.log(`  ${name.padEnd(24)} ${inWords(of)}`)
  const figures = Object.fromEntries(
    found.flatMap(([name, { p50, p99 }]) => [
      [`${name}, p50`, p50],
      [`${name}, p99`, p99],
    ]),
  )
  return resultOf({ title: `windows: ${what}`, unit: 'ms', better: 'less', noise: NOISE, figures })
}
