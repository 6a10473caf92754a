import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** The parts that are read of vitest's JSON report. */
export interface Report {
  readonly testResults: readonly FileResult[]
}

interface FileResult {
  /** The absolute path of the file. */
  readonly name: string
  readonly status: string
  /** What ended the file before or beside its tests. */
  readonly message: string
  /** In ms. */
  readonly startTime: number
  readonly endTime: number
  readonly assertionResults: readonly TestResult[]
}

interface TestResult {
  readonly fullName: string
  readonly status: string
  readonly failureMessages: readonly string[]
}

/** A test that failed, or a file that failed beside its tests: where, its full name, what it said. */
export interface Failure {
  readonly file: string
  readonly name: string
  readonly error: string
}

const LINES_EACH = 20
const LINES_LEAST = 2
/** A log of CI is read from its end, 130 lines of it: the errors leave room for the steps and the names. */
const LINES_ALL = 100

const WHAT_TO_DO = `It failed beside other tests and passed alone. Find what it depends on and mend that: run it with
\`npm run steady -- --times 30 FILE\`. Only where that cannot be done now, list it in scripts/known-unsteady.ts.`

/** How many tests passed, and how many neither passed nor failed. */
export function tallyReport({ testResults }: Report): { passed: number; skipped: number } {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const passed = tests.filter(({ status }) => status === 'passed').length
  const failed = tests.filter(({ status }) => status === 'failed').length
  return { passed, skipped: tests.length - passed - failed }
}

/** The files that took longest, one a line with its seconds, the slowest first. */
export function slowestText({ testResults }: Report, most: number): string {
  return testResults
    .map(({ name, startTime, endTime }) => ({ file: path.relative('', name), ms: endTime - startTime }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, most)
    .map(({ file, ms }) => `${(ms / 1_000).toFixed(1).padStart(6)} s  ${file}`)
    .join('\n')
}

/** Every failed test; a file that failed without naming one counts as one. */
export function failuresIn({ testResults }: Report): Failure[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative('', name)
    const failed = assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => ({ file, name: test.fullName, error: test.failureMessages.join('\n') }))
    const isMute = status === 'failed' && failed.length === 0
    return isMute ? [{ file, name: '(the file itself)', error: message }] : failed
  })
}

/** The first report with the files of the second in the place of its own. */
export function mergeReports(first: Report, second: Report): Report {
  const again = new Map(second.testResults.map((result) => [result.name, result]))
  return { testResults: first.testResults.map((result) => again.get(result.name) ?? result) }
}

/** Which of the failures of the first run are none of the second. */
export function unsteadyOf(first: readonly Failure[], second: readonly Failure[]): Failure[] {
  return first.filter(({ file, name }) => !second.some((other) => other.file === file && other.name === name))
}

/** Whether a test of this name passed. */
export function hasPassed({ testResults }: Report, { file, name }: Failure): boolean {
  return testResults.some(
    (result) =>
      path.relative('', result.name) === file &&
      result.assertionResults.some((test) => test.fullName === name && test.status === 'passed'),
  )
}

/** What is said of a test that passed only alone: what to do about it, then how it failed at first. */
export function unsteadyFailure({ file, name, error }: Failure): Failure {
  return { file, name, error: `${WHAT_TO_DO}\n${error}` }
}

/** Each failure by its name with the first lines of its error: 20, or fewer where many failed. */
export function failureText(failures: readonly Failure[]): string {
  const most = Math.floor(LINES_ALL / Math.max(failures.length, 1))
  const each = Math.min(Math.max(most, LINES_LEAST), LINES_EACH)
  return failures
    .map((failure) => [`✗ ${nameOf(failure)}`, ...firstLines(failure.error, each)].join('\n    '))
    .join('\n')
}

/** One loud line for each test that passed only alone and is known for it. */
export function unsteadyText(unsteady: readonly Failure[]): string {
  return unsteady
    .map((failure) => `unsteady: ${nameOf(failure)}: ${firstLines(failure.error, 1)[0] ?? 'no error'}`)
    .join('\n')
}

const nameOf = ({ file, name }: Failure) => `${file} > ${name}`

/** Without colours, and without the frames of the test runner itself. */
const firstLines = (error: string, lines: number) =>
  stripVTControlCharacters(error)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at (new Promise|.*node_modules)/.test(line))
    .slice(0, lines)
