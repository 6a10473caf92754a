import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  type Contender,
  costOf,
  eachAtOnce,
  type StepCost,
  startBare,
  startSvc,
} from './windows/contender.ts'
import { beatAll } from './windows/heartbeats.ts'
import { coldWindows, eventsToOne } from './windows/trips.ts'

const USERS = 2_000
const WINDOWS_OF_EACH = 5
const WINDOWS = USERS * WINDOWS_OF_EACH
const BEAT_SECONDS = 30
const EVENTS = 1_000
const COLD = 300

/** The steps in which pages come up, and how many times each is done. */
const steps: readonly (readonly [what: string, count: number, of: (one: Contender) => Promise<unknown>])[] = [
  ['sign-in', USERS, (one) => eachAtOnce(users, (user) => one.signIn(user))],
  ['install of an app', USERS, (one) => eachAtOnce(one.pages, one.install)],
  ['open window', WINDOWS, (one) => eachAtOnce(manyTimes(one.pages), one.openWindow)],
  ['idle event stream', USERS, (one) => eachAtOnce(one.pages, one.openStream)],
  ['idle call socket', USERS, (one) => eachAtOnce(one.pages, one.openSocket)],
  ['first call of a window', WINDOWS, (one) => eachAtOnce(one.pages, callAll)],
]
const users = Array.from({ length: USERS }, (_, n) => `user${n}`)
const manyTimes = (pages: Contender['pages']) => Array.from({ length: WINDOWS_OF_EACH }, () => pages).flat()
const callAll = async (page: Contender['pages'][number]) => {
  for (const window of page.windows) await page.call(window, 'heartbeat')
}

/**
 * 10 000 open windows of 2 000 users: what they cost, their heartbeats, an event to one and a new window, beside
 * `node:http` and `ws` alone. `--folder`: the host keeps its state in a folder.
 */
export async function benchWindows(): Promise<void> {
  const isInFolder = process.argv.includes('--folder')
  const dir = isInFolder ? mkdtempSync(path.join(tmpdir(), 'svc-bench-windows-')) : undefined
  const all = await Promise.all([
    startBare('bare'),
    startBare('bare (A/A)'),
    startSvc(isInFolder ? 'svc, state in a folder' : 'svc, state in memory', dir),
  ])
  try {
    console.log(
      `\n${USERS} users, ${WINDOWS} windows: what one costs the host (bytes of heap, of the process, µs of CPU)`,
    )
    for (const [what, count, of] of steps) {
      const costs: StepCost[] = []
      for (const one of all) costs.push(await costOf(one, count, () => of(one)))
      console.log(`  ${what}`)
      for (const [at, { heapBytes, rssBytes, cpuUs }] of costs.entries())
        console.log(
          `    ${(all[at]?.server.name ?? '').padEnd(24)}${[heapBytes, rssBytes, cpuUs].map((value) => value.toFixed(0).padStart(9)).join('')}`,
        )
    }
    await beatAll(all, BEAT_SECONDS)
    await eventsToOne(all, EVENTS)
    await coldWindows(all, COLD)
  } finally {
    await Promise.all(all.map((one) => one.close()))
    if (dir !== undefined) rmSync(dir, { recursive: true })
  }
}

if (import.meta.main) await benchWindows()
