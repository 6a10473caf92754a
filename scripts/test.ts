// `npm test`: types, lint and rules, then one story in Chromium and one plugin in a process, if they are there.
// `npm test -- all`: the whole proof, which fails where a tool is missing.
// `npm test -- release`: what is proven once a release.
// `npm test -- chromium faults`: the steps that are named.
import { globSync, readFileSync } from 'node:fs'
import { didYouMean } from '../packages/contract/src/values/nearest.ts'
import { setup } from './compile-cache.ts'
import { type Count, failureText, skippedText } from './report.ts'
import type { Failure, Skipped } from './reporter.ts'
import { isStopped, run } from './spawn.mjs'
import { runSuites } from './suites.ts'
import { findTool, type Tool } from './tools.ts'
import { twoAtATime } from './two-at-a-time.ts'

interface Step {
  readonly name: string
  readonly needs: readonly Tool[]
  /** What it is for, where it runs only when somebody asks for it: it may take hours. */
  readonly costs?: string
  readonly run: () => Promise<Count>
}

const MINUTES = 30
/** Of all kills, and of all mutants. */
const RELEASE_MINUTES = 240
/** Of what a script printed before it failed. */
const LAST_LINES = 20

const check: Step = { name: 'check', needs: [], run: () => script('scripts/check.ts') }
/** Whether it is `npm test` alone: it plays fewer rounds, and files of rules are held to their time where CI has a quiet machine. */
const isBasic = process.argv.length === 2
const rules: Step = {
  name: 'rules',
  needs: [],
  run: () =>
    runSuites(
      ['rules', 'dom', 'react-18'],
      MINUTES,
      isBasic ? { rounds: 'test', areBounded: process.env.CI !== undefined } : {},
    ),
}

const basic: readonly Step[] = [
  check,
  rules,
  { name: 'story', needs: ['chromium'], run: () => stories(['examples/hello-window/check.ts']) },
  { name: 'plugin', needs: [], run: () => stories(['examples/plugin-node/check.ts']) },
]

const all: readonly Step[] = [
  check,
  rules,
  {
    name: 'process',
    needs: ['python', 'perl', 'bubblewrap', 'cc'],
    run: () => runSuites(['process'], MINUTES),
  },
  {
    name: 'chromium',
    needs: ['chromium', 'browser', 'python'],
    run: () => runSuites(['chromium', 'chromium-alone'], MINUTES),
  },
  {
    name: 'faults',
    needs: ['chromium', 'browser', 'python', 'perl', 'bubblewrap', 'cc', 'nginx'],
    run: () => runSuites(['faults', 'faults-alone'], MINUTES),
  },
  {
    name: 'cluster',
    needs: ['chromium', 'browser', 'python', 'nginx', 'postgres', 'redis', 'pgbouncer'],
    run: () => runSuites(['cluster'], MINUTES),
  },
  {
    name: 'examples',
    needs: ['chromium', 'python'],
    run: () => stories(globSync('examples/*/check.ts').sort()),
  },
]

const release: readonly Step[] = [
  {
    name: 'packages',
    needs: ['chromium', 'browser', 'python'],
    costs:
      'packs, installs and builds every package and template, also with the tools of others, and runs each command of a page',
    run: () => runSuites(['release'], RELEASE_MINUTES, { rounds: 'release' }),
  },
  {
    name: 'browsers',
    needs: ['firefox', 'webkit', 'xvfb', 'xauth', 'python'],
    costs: 'Firefox and WebKit',
    run: () => script('scripts/browsers.ts'),
  },
  {
    name: 'rounds',
    needs: [
      'chromium',
      'browser',
      'python',
      'perl',
      'bubblewrap',
      'cc',
      'nginx',
      'postgres',
      'redis',
      'pgbouncer',
    ],
    costs: 'all random histories, repeats, kills, failing system calls and schedules of a bad network',
    run: wholeRounds,
  },
  {
    name: 'mutants',
    needs: [],
    costs: 'changes the rules of the walls and looks for a test that notices',
    run: () => script('scripts/mutate/main.ts', [], RELEASE_MINUTES),
  },
  {
    name: 'soak',
    needs: [],
    costs: 'an hour of all kinds of traffic',
    run: () => script('bench/main.ts', ['soak'], RELEASE_MINUTES),
  },
]

const commands: Readonly<Record<string, readonly Step[]>> = { all, release }
const steps = new Map([...basic, ...all, ...release].map((step) => [step.name, step]))
const asked = process.argv.slice(2)
const unknown = asked.find((name) => !(name in commands || steps.has(name)))
if (unknown !== undefined) {
  const names = [...Object.keys(commands), ...steps.keys()]
  const meant = didYouMean(unknown, names) || `; there are ${names.join(', ')}`
  console.error(`svc: there is no step "${unknown}"${meant}`)
  process.exit(1)
}
const chosen =
  asked.length === 0 ? basic : asked.flatMap((name) => commands[name] ?? [steps.get(name) as Step])
for (const { name, costs } of chosen) if (costs) console.log(`${name}: ${costs}`)

const forget = setup()
const lines: string[] = []
const failures: Failure[] = []
const skipped: Skipped[] = []
let passed = 0
for (const step of chosen) {
  if (isStopped()) continue
  console.log(`\n── ${step.name}`)
  const from = performance.now()
  const count = await attempt(step)
  passed += count.passed
  failures.push(...count.failures)
  skipped.push(...count.skipped)
  const seconds = ((performance.now() - from) / 1_000).toFixed(1)
  const isSkipped = count.passed === 0 && count.skipped.length > 0
  const sign = count.failures.length > 0 ? '✗' : isSkipped ? '-' : '✓'
  lines.push(`${sign} ${step.name.padEnd(9)} ${seconds.padStart(6)} s  ${tally(count)}`)
}
if (failures.length > 0) console.log(`\n── what failed\n${failureText(failures)}`)
if (skipped.length > 0) console.log(`\n── what was skipped\n${skippedText(skipped)}`)
console.log(`\n${lines.join('\n')}`)
console.log(`tests: ${passed} passed, ${failures.length} failed, ${skipped.length} skipped`)
forget()
process.exitCode = failures.length > 0 || isStopped() ? 1 : 0

/** A missing tool fails what somebody asked for; `npm test` does what can be done here. */
async function attempt(step: Step): Promise<Count> {
  const missing = step.needs.map(findTool).filter((one) => one !== null)
  if (missing.length === 0) return step.run()
  const file = step.name
  if (isBasic) return { passed: 0, failures: [], skipped: missing.map((reason) => ({ file, reason })) }
  const failures = missing.map((error) => ({ file, name: 'needs a tool', error }))
  return { passed: 0, failures, skipped: [] }
}

/** Every test that plays a part of its rounds elsewhere, with all of them. */
function wholeRounds(): Promise<Count> {
  const only = globSync('{packages,examples}/**/*.test.ts', { exclude: ['**/node_modules/**'] }).filter(
    (file) => /\/(rounds|some-rows)(\.ts)?'/.test(readFileSync(file, 'utf8')),
  )
  const beside = ['rules', 'process', 'chromium', 'faults', 'cluster']
  const projects = [...beside, 'chromium-alone', 'faults-alone']
  return runSuites(projects, RELEASE_MINUTES, { only, rounds: 'release' })
}

/** A script without tests of its own: it adds to the count only when it fails. */
async function script(file: string, args: readonly string[] = [], minutes = MINUTES): Promise<Count> {
  return { passed: 0, failures: await failureOf(file, { args, echo: true, minutes }), skipped: [] }
}

/** Checks of examples, two at a time; each is one test. */
async function stories(checks: readonly string[]): Promise<Count> {
  const failed: Failure[] = []
  await twoAtATime(checks, async (check) => void failed.push(...(await failureOf(check))))
  return { passed: checks.length - failed.length, failures: failed, skipped: [] }
}

interface Options {
  readonly args?: readonly string[]
  /** Prints what the script says while it runs, and not when it is over. */
  readonly echo?: boolean
  readonly minutes?: number
}

async function failureOf(
  file: string,
  { args = [], echo = false, minutes = MINUTES }: Options = {},
): Promise<Failure[]> {
  const { code, output } = await run('node', [file, ...args], { capture: true, echo, minutes })
  if (!echo) console.log(`${file}\n${output.trimEnd()}`)
  if (code === 0) return []
  const said = output.trimEnd().split('\n')
  const wrong = said.filter((line) => !line.startsWith('✓')).slice(-LAST_LINES)
  return [{ file, name: `ended with ${code}`, error: wrong.join('\n') }]
}

function tally({ passed, failures, skipped }: Count): string {
  if (passed + failures.length + skipped.length === 0) return ''
  return `${passed} passed, ${failures.length} failed, ${skipped.length} skipped`
}
