import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { type Count, countOutcome, slowestText, slowRules } from './report.ts'
import { OUTCOME, type Outcome } from './reporter.ts'
import { run } from './spawn.mjs'

const SLOWEST = 20

interface Options {
  /** The test files to run; none: all. */
  readonly only?: readonly string[]
  /** How much of random tests is played (`conformance/src/rounds.ts`). */
  readonly rounds?: 'test' | 'all' | 'release'
  /** Fails where a file takes longer than one of rules may. */
  readonly areBounded?: boolean
}

/** Runs projects of vitest and names the slowest files. */
export async function runSuites(
  projects: readonly string[],
  minutes: number,
  { only = [], rounds = 'all', areBounded = false }: Options = {},
): Promise<Count> {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-tests-'))
  try {
    const file = path.join(dir, 'outcome.json')
    const names = projects.flatMap((name) => ['--project', name])
    const reporters = ['--reporter=default', '--reporter=./scripts/reporter.ts']
    const env = { ...process.env, SVC_ROUNDS: rounds, [OUTCOME]: file }
    const { code } = await run('vitest', ['run', ...names, ...reporters, ...only], { minutes, env })
    const outcome = readOutcome(file)
    if (outcome) console.log(`\n── the slowest files\n${slowestText(outcome.files, SLOWEST)}`)
    const count = countOutcome(projects, code, outcome)
    const slow =
      areBounded && outcome
        ? slowRules(outcome.files, Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()))
        : []
    return { ...count, failures: [...count.failures, ...slow] }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function readOutcome(file: string): Outcome | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Outcome
  } catch {
    return null
  }
}
