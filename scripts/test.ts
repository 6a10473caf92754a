// `npm test`: every step in order, one after another (two cores), then how many tests there were.
// `npm test -- unit chromium` runs only the steps that are named.
import { globSync } from 'node:fs'
import { isStopped, run } from './spawn.mjs'
import { type Count, runSuites } from './suites.ts'
import { ensureTool, type Tool } from './tools.ts'

interface Step {
  readonly name: string
  readonly needs: readonly Tool[]
  readonly run: () => Promise<Count>
}

const MINUTES = 10

const steps: readonly Step[] = [
  { name: 'check', needs: [], run: () => script('scripts/check.ts') },
  { name: 'unit', needs: ['python'], run: () => runSuites(['unit', 'dom'], MINUTES) },
  { name: 'chromium', needs: ['chromium', 'python'], run: () => runSuites(['chromium'], MINUTES) },
  { name: 'faults', needs: ['chromium', 'python'], run: () => runSuites(['faults'], MINUTES) },
  { name: 'examples', needs: ['chromium', 'python'], run: () => exampleChecks() },
]

const asked = process.argv.slice(2)
const unknown = asked.find((name) => !steps.some((step) => step.name === name))
if (unknown !== undefined) {
  console.error(
    `svc: there is no step "${unknown}"; the steps are ${steps.map(({ name }) => name).join(', ')}`,
  )
  process.exit(1)
}

const lines: string[] = []
const total = { passed: 0, failed: 0 }
let broken = false
for (const step of steps) {
  if (isStopped() || (asked.length > 0 && !asked.includes(step.name))) continue
  console.log(`\n── ${step.name}`)
  const from = performance.now()
  const count = await attempt(step)
  total.passed += count.passed
  total.failed += count.failed
  broken ||= !count.ok
  const seconds = ((performance.now() - from) / 1_000).toFixed(1)
  lines.push(`${count.ok ? '✓' : '✗'} ${step.name.padEnd(9)} ${seconds.padStart(6)} s  ${tally(count)}`)
}
console.log(`\n${lines.join('\n')}`)
console.log(`tests: ${total.passed} passed, ${total.failed} failed`)
process.exitCode = broken || isStopped() ? 1 : 0

async function attempt(step: Step): Promise<Count> {
  for (const tool of step.needs) {
    const trouble = await ensureTool(tool)
    if (trouble === null) continue
    console.error(`svc: ${trouble}`)
    return { ok: false, passed: 0, failed: 1, skipped: 0 }
  }
  return step.run()
}

/** A script without tests of its own: it adds to the count only when it fails. */
async function script(file: string): Promise<Count> {
  const { code } = await run('node', [file], { minutes: MINUTES })
  return { ok: code === 0, passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 }
}

/** The story of each example, told in a browser; a check is one test. */
async function exampleChecks(): Promise<Count> {
  const checks = globSync('examples/*/check.ts').sort()
  let passed = 0
  for (const check of checks) {
    console.log(check)
    const { code } = await run('node', [check], { minutes: MINUTES })
    if (code === 0) passed++
    else console.error(`svc: ${check} ended with ${code}`)
  }
  const failed = checks.length - passed
  return { ok: passed > 0 && failed === 0, passed, failed, skipped: 0 }
}

function tally({ ok, passed, failed, skipped }: Count): string {
  if (passed + failed + skipped === 0) return ok ? '' : 'found no tests'
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
