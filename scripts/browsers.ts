// `npm run browsers`: what must hold in Firefox and WebKit too, both at the same time. `npm run browsers -- webkit stories`
// runs only what is named.
import { globSync } from 'node:fs'
import path from 'node:path'
import { isStopped, run } from './spawn.mjs'
import { findTool, type Tool } from './tools.ts'

/** What each of them needs on the machine. */
const browsers = {
  firefox: ['firefox'],
  webkit: ['webkit', 'xvfb', 'xauth'],
} as const satisfies Record<string, readonly Tool[]>

const suite = 'packages/conformance/src/other-browsers/main.ts'
const stories = globSync('examples/*/index.html').map((file) => path.join(path.dirname(file), 'check.ts'))
/** What is run in each of them: scripts with their arguments. */
const parts: Readonly<Record<string, readonly (readonly [string, ...string[]])[]>> = {
  stories: stories.sort().map((file) => [file]),
  scenarios: [[suite, 'scenarios']],
  ways: [[suite, 'ways']],
}
/** The longest that one of them may take: its own bounds end it sooner. */
const MINUTES = 5

const asked = process.argv.slice(2)
const unknown = asked.find((name) => !(name in browsers || name in parts))
if (unknown !== undefined) {
  console.error(
    `svc: there is no "${unknown}"; there are ${[...Object.keys(browsers), ...Object.keys(parts)].join(', ')}`,
  )
  process.exit(1)
}
/** Those of a table that were asked for, or all where none of it was. */
const chosen = <Row>(table: Readonly<Record<string, Row>>): (readonly [string, Row])[] => {
  const rows = Object.entries(table)
  const some = rows.filter(([name]) => asked.includes(name))
  return some.length > 0 ? some : rows
}

const from = performance.now()
const failed: string[] = []
const ready: string[] = []
for (const [browser, tools] of chosen<readonly Tool[]>(browsers)) {
  const troubles = tools.map(findTool).filter((one) => one !== null)
  for (const trouble of troubles) console.error(`svc: ${browser} cannot be tested: ${trouble}`)
  if (troubles.length === 0) ready.push(browser)
  else failed.push(`${browser}, ${troubles.join(', ')}`)
}
await Promise.all(ready.map(inBrowser))
const seconds = ((performance.now() - from) / 1_000).toFixed(1)
// Last, for these are what a reader of the end of a long run looks for.
for (const one of failed) console.log(`\n── failed: ${one}`)
console.log(`\nbrowsers: ${failed.length === 0 ? 'all passed' : `${failed.length} failed`}, in ${seconds} s`)
process.exitCode = failed.length === 0 ? 0 : 1

async function inBrowser(browser: string): Promise<void> {
  const env = { ...process.env, SVC_STORY_BROWSER: browser }
  for (const [file, ...args] of chosen(parts).flatMap(([, scripts]) => scripts)) {
    if (isStopped()) return
    const start = performance.now()
    const { code, output } = await run('node', [file, ...args], { capture: true, minutes: MINUTES, env })
    const took = ((performance.now() - start) / 1_000).toFixed(1)
    const told = `${browser}: ${[file, ...args].join(' ')} (${took} s)\n${output.trimEnd()}`
    if (code === 0) console.log(`\n── ${told}`)
    else failed.push(told)
  }
}
