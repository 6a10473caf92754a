import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run } from './spawn.mjs'

/** How a step ended. `ok` is false too where nothing failed by name: no tests found, or an error beside them. */
export interface Count {
  readonly ok: boolean
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** The parts that are read of vitest's JSON report. */
interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[]
}

/** Runs vitest projects and reads how many tests there were. */
export async function runSuites(projects: readonly string[], minutes: number): Promise<Count> {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-tests-'))
  try {
    const file = path.join(dir, 'report.json')
    const names = projects.flatMap((name) => ['--project', name])
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    const { code } = await run('vitest', ['run', ...names, ...reporters], { minutes })
    return count(code, readReport(file))
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** The report, or null where vitest ended before it wrote one. */
function readReport(file: string): Report | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report
  } catch {
    return null
  }
}

function count(code: number, report: Report | null): Count {
  if (!report) return { ok: false, passed: 0, failed: 1, skipped: 0 }
  // A file that fails before its first test names none: the file counts.
  const mute = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length
  const passed = report.numPassedTests
  const named = report.numFailedTests + mute
  const failed = named === 0 && code !== 0 && passed > 0 ? 1 : named
  const skipped = report.numPendingTests + report.numTodoTests
  return { ok: code === 0 && failed === 0 && passed > 0, passed, failed, skipped }
}
