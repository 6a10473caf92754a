import { type Result, resultOf } from '../lib/result.ts'
import { type Contender, costOf, eachAtOnce, type StepCost } from './contender.ts'
import type { Page } from './page.ts'

const WINDOWS_OF_EACH = 5
const NOISE = 0.05

type Step = readonly [what: string, count: number, of: (one: Contender) => Promise<unknown>]

/** The steps in which the pages of so many users come up, and how many times each is done. */
function stepsOf(users: number, prefix = 'user'): readonly Step[] {
  const names = Array.from({ length: users }, (_, n) => `${prefix}${n}`)
  const windows = users * WINDOWS_OF_EACH
  const manyTimes = (pages: readonly Page[]) => Array.from({ length: WINDOWS_OF_EACH }, () => pages).flat()
  const callAll = async (page: Page) => {
    for (const window of page.windows) await page.call(window, 'heartbeat')
  }
  return [
    ['sign-in', users, (one) => eachAtOnce(names, one.signIn)],
    ['install of an app', users, (one) => eachAtOnce(one.pages, one.install)],
    ['open window', windows, (one) => eachAtOnce(manyTimes(one.pages), one.openWindow)],
    ['idle event stream', users, (one) => eachAtOnce(one.pages, one.openStream)],
    ['idle call socket', users, (one) => eachAtOnce(one.pages, one.openSocket)],
    ['first call of a window', windows, (one) => eachAtOnce(one.pages, callAll)],
  ]
}

const figures = [
  ['bytes of heap', 'B', 'heapBytes'],
  ['CPU time', 'µs', 'cpuUs'],
] as const

/** Opens the pages of so many users at all contenders; prints and returns what one of each kind cost. */
export async function openAll(all: readonly Contender[], users: number): Promise<Result[]> {
  // What is loaded with the first of a kind is no cost of each.
  for (const [, , of] of stepsOf(1, 'first')) await Promise.all(all.map(of))
  const costs = new Map<string, StepCost>()
  const before = await Promise.all(all.map(({ server }) => server.figures('rest')))
  console.log(
    `\n${users} users with ${WINDOWS_OF_EACH} windows each: what one costs (bytes of heap, of the process, µs of CPU)`,
  )
  for (const [what, count, of] of stepsOf(users)) {
    console.log(`  ${what}`)
    for (const [at, one] of all.entries()) {
      const had = before[at]
      if (!had) continue
      const { cost, after } = await costOf(one, had, count, () => of(one))
      before[at] = after
      costs.set(`${what}, ${one.server.name}`, cost)
      const row = [cost.heapBytes, cost.rssBytes, cost.cpuUs].map((value) => value.toFixed(0).padStart(9))
      console.log(`    ${one.server.name.padEnd(24)}${row.join('')}`)
    }
  }
  return figures.map(([title, unit, of]) =>
    resultOf({
      title: `windows: ${title}`,
      unit,
      better: 'less',
      noise: NOISE,
      figures: Object.fromEntries([...costs].map(([name, cost]) => [name, cost[of]])),
    }),
  )
}
