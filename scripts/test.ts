// `npm test`: every step in order, one after another (two cores), then how many tests there were.
// `npm test -- unit chromium` runs only the steps that are named, `npm test -- quick` what is over in a minute or so,
// `npm test -- crash` all kills and failing system calls, of which faults has a few.
import { globSync } from 'node:fs'
import { type Failure, failureText, unsteadyText } from './report.ts'
import { ruleTests } from './rule-tests.ts'
import { isStopped, run } from './spawn.mjs'
import { type Count, runSuites } from './suites.ts'
import { ensureTool, type Tool } from './tools.ts'
import { twoAtATime } from './two-at-a-time.ts'

interface Step {
  readonly name: string
  readonly needs: readonly Tool[]
  readonly run: () => Promise<Count>
}

const MINUTES = 30
/** Of real processes, and of a dozen projects that are installed from a registry. */
const FAULTS_MINUTES = 45
/** For what is not in the run of all. */
const CRASH_MINUTES = 180
/** Of what a script printed before it failed. */
const LAST_LINES = 20

const steps: readonly Step[] = [
  { name: 'check', needs: [], run: () => script('scripts/check.ts') },
  { name: 'unit', needs: ['python'], run: () => runSuites(['unit', 'dom'], MINUTES) },
  {
    name: 'chromium',
    needs: ['chromium', 'browser', 'python'],
    run: () => runSuites(['chromium', 'chromium-alone'], MINUTES),
  },
  {
    name: 'faults',
    needs: ['chromium', 'browser', 'python', 'bubblewrap', 'cc', 'nginx'],
    run: () => runSuites(['faults', 'faults-alone'], FAULTS_MINUTES),
  },
  {
    name: 'cluster',
    needs: ['chromium', 'browser', 'python', 'nginx', 'postgres', 'redis', 'pgbouncer'],
    run: () => runSuites(['cluster'], MINUTES),
  },
  { name: 'examples', needs: ['chromium', 'python'], run: () => exampleChecks() },
  {
    name: 'browsers',
    needs: ['firefox', 'webkit', 'xvfb', 'xauth', 'python'],
    run: () => script('scripts/browsers.ts'),
  },
]

/** What is worth waiting for after each change: types, lint, and the rules that need no process. */
const quick: readonly Step[] = [
  {
    name: 'check',
    needs: [],
    run: () => script('scripts/check.ts', ['types', 'biome', 'graph', 'promises']),
  },
  { name: 'rules', needs: [], run: () => runSuites(['unit'], MINUTES, ruleTests(process.cwd())) },
]

/** The tests of hosts and folders that are killed, and of disks and networks that fail, with all of their rounds. */
const crash: Step = {
  name: 'crash',
  needs: ['cc', 'chromium', 'browser', 'python', 'nginx', 'postgres', 'redis', 'pgbouncer'],
  run: crashTests,
}

const asked = process.argv.slice(2)
const names = ['quick', ...steps.map(({ name }) => name), crash.name]
const unknown = asked.find((name) => !names.includes(name))
if (unknown !== undefined) {
  console.error(`svc: there is no step "${unknown}"; the steps are ${names.join(', ')}`)
  process.exit(1)
}
const chosen =
  asked.length === 0
    ? steps
    : [
        ...(asked.includes('quick') ? quick : []),
        ...[...steps, crash].filter(({ name }) => asked.includes(name)),
      ]

const lines: string[] = []
const failures: Failure[] = []
const unsteady: Failure[] = []
let passed = 0
let broken = false
for (const step of chosen) {
  if (isStopped()) continue
  console.log(`\n── ${step.name}`)
  const from = performance.now()
  const count = await attempt(step)
  passed += count.passed
  failures.push(...count.failures)
  unsteady.push(...count.unsteady)
  broken ||= !count.ok
  const seconds = ((performance.now() - from) / 1_000).toFixed(1)
  lines.push(`${count.ok ? '✓' : '✗'} ${step.name.padEnd(9)} ${seconds.padStart(6)} s  ${tally(count)}`)
}
if (failures.length > 0) console.log(`\n── what failed\n${failureText(failures)}`)
if (unsteady.length > 0) console.log(`\n── PASSED ONLY ALONE, AS IS KNOWN\n${unsteadyText(unsteady)}`)
console.log(`\n${lines.join('\n')}`)
console.log(`tests: ${passed} passed, ${failures.length} failed`)
process.exitCode = broken || isStopped() ? 1 : 0

async function attempt(step: Step): Promise<Count> {
  for (const tool of step.needs) {
    const trouble = await ensureTool(tool)
    if (trouble === null) continue
    console.error(`svc: ${trouble}`)
    return scripts(0, [{ file: step.name, name: tool, error: trouble }])
  }
  return step.run()
}

function crashTests(): Promise<Count> {
  process.env.SVC_CRASHES = 'whole'
  const files = globSync('packages/*/src/**/*.crash.{faults,cluster}.test.ts').sort()
  return runSuites(['faults', 'cluster'], CRASH_MINUTES, files)
}

/** A script without tests of its own: it adds to the count only when it fails. */
async function script(file: string, args: readonly string[] = []): Promise<Count> {
  const failure = await failureOf(file, { args, echo: true })
  return { ...scripts(0, failure), ok: failure.length === 0 }
}

/** The story of each example, told in a browser, two at a time; a check is one test. */
async function exampleChecks(): Promise<Count> {
  const checks = globSync('examples/*/check.ts').sort()
  const failed: Failure[] = []
  await twoAtATime(checks, async (check) => void failed.push(...(await failureOf(check))))
  return scripts(checks.length - failed.length, failed)
}

/** `echo`: prints what the script says while it runs, and not when it is over. */
async function failureOf(
  file: string,
  { args = [], echo = false }: { readonly args?: readonly string[]; readonly echo?: boolean } = {},
): Promise<Failure[]> {
  const { code, output } = await run('node', [file, ...args], { capture: true, echo, minutes: MINUTES })
  if (!echo) console.log(`${file}\n${output.trimEnd()}`)
  if (code === 0) return []
  const said = output.trimEnd().split('\n')
  const wrong = said.filter((line) => !line.startsWith('✓')).slice(-LAST_LINES)
  return [{ file, name: `ended with ${code}`, error: wrong.join('\n') }]
}

function scripts(passed: number, failures: readonly Failure[]): Count {
  return { ok: passed > 0 && failures.length === 0, passed, skipped: 0, failures, unsteady: [] }
}

function tally({ ok, passed, failures, skipped, unsteady }: Count): string {
  const failed = failures.length
  if (passed + failed + skipped === 0) return ok ? '' : 'found no tests'
  const more = [skipped > 0 && `${skipped} skipped`, unsteady.length > 0 && `${unsteady.length} unsteady`]
  return [`${passed} passed`, `${failed} failed`, ...more.filter((word) => word !== false)].join(', ')
}
