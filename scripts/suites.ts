import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isKnownUnsteady } from './known-unsteady.ts'
import {
  type Failure,
  failuresIn,
  hasPassed,
  mergeReports,
  type Report,
  slowestText,
  tallyReport,
  unsteadyFailure,
  unsteadyOf,
} from './report.ts'
import { isStopped, run } from './spawn.mjs'

/** How a step ended. `ok` is false too where nothing failed by name: no tests found, or an error beside them. */
export interface Count {
  readonly ok: boolean
  readonly passed: number
  readonly skipped: number
  readonly failures: readonly Failure[]
  /** What failed at first and passed when its file ran alone, and is known for it; else it is among the failures. */
  readonly unsteady: readonly Failure[]
}

interface Outcome {
  readonly code: number
  /** Null where vitest ended before it wrote one. */
  readonly report: Report | null
}

const SLOWEST = 10

/**
 * Runs vitest projects, names the slowest files, and the files that failed once more alone: that tells a test that fails from one that depends
 * on what runs beside it. Both are failures, except for those of `known-unsteady.ts`.
 *
 * @param only the test files to run; none: all
 */
export async function runSuites(
  projects: readonly string[],
  minutes: number,
  only: readonly string[] = [],
): Promise<Count> {
  const first = await vitest(projects, only, minutes)
  if (first.report) console.log(`\n── the slowest files\n${slowestText(first.report, SLOWEST)}`)
  const failures = first.report ? failuresIn(first.report) : []
  if (failures.length === 0 || isStopped()) return countSuites(projects, first, null)
  const files = [...new Set(failures.map(({ file }) => path.resolve(file)))]
  console.log(`\n── again, alone: the ${files.length} that failed`)
  return countSuites(projects, first, await vitest(projects, ['--no-file-parallelism', ...files], minutes))
}

async function vitest(
  projects: readonly string[],
  more: readonly string[],
  minutes: number,
): Promise<Outcome> {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-tests-'))
  try {
    const file = path.join(dir, 'report.json')
    const names = projects.flatMap((name) => ['--project', name])
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    const { code } = await run('vitest', ['run', ...names, ...reporters, ...more], { minutes })
    return { code, report: readReport(file) }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function readReport(file: string): Report | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report
  } catch {
    return null
  }
}

/** What one run, or two of which the second stands for the files in it, come to. */
export function countSuites(
  projects: readonly string[],
  first: Outcome,
  second: Outcome | null,
  isKnown = (failure: Failure) => isKnownUnsteady(failure, new Date()),
): Count {
  const before = first.report
  const report = before && second?.report ? mergeReports(before, second.report) : before
  const { code } = second ?? first
  const { passed, skipped } = report ? tallyReport(report) : { passed: 0, skipped: 0 }
  const named = report ? failuresIn(report) : []
  const nameless = code !== 0 && named.length === 0 && (passed > 0 || !report)
  const error = `vitest ended with ${code}, and its output above says why`
  const wavering = before ? unsteadyOf(failuresIn(before), named) : []
  const unknown = wavering.filter((failure) => !isKnown(failure))
  const failures = [
    ...(nameless ? [{ file: 'vitest', name: projects.join(', '), error }] : named),
    ...unknown.map(unsteadyFailure),
  ]
  return {
    ok: code === 0 && failures.length === 0 && passed > 0,
    passed: passed - (report ? unknown.filter((failure) => hasPassed(report, failure)).length : 0),
    skipped,
    failures,
    unsteady: wavering.filter((failure) => !unknown.includes(failure)),
  }
}
