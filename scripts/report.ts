import { stripVTControlCharacters } from 'node:util'
import type { Failure, Outcome, Skipped } from './reporter.ts'

/** How a step ended. */
export interface Count {
  readonly passed: number
  readonly failures: readonly Failure[]
  readonly skipped: readonly Skipped[]
}

/** The longest that a file of rules may take: more is a wait, or work for another level. */
const RULE_FILE_MS = 1_500
const LINES_EACH = 20
const LINES_LEAST = 2
/** A log of CI is read from its end, 130 lines of it: the errors leave room for the steps and the names. */
const LINES_ALL = 100
/** Files named for one reason that tests were skipped for. */
const FILES_EACH = 3

/** What a run comes to; `null`: vitest ended before it wrote its outcome. */
export function countOutcome(projects: readonly string[], code: number, outcome: Outcome | null): Count {
  const { passed = 0, failures: failed = [], skipped = [] } = outcome ?? {}
  const error = `vitest ended with ${code}, and its output above says why`
  const isMute = failed.length === 0 && (code !== 0 || passed === 0)
  return {
    passed,
    failures: isMute ? [{ file: 'vitest', name: projects.join(', '), error }] : failed,
    skipped,
  }
}

/**
 * The files of rules that took too long, as failures; parts of the page, which are drawn, may take longer. One test of a
 * file pays for what is loaded when it is first used, in any order of files: the longest is judged by itself. `busy`: how many
 * times as long everything takes on this machine just now.
 */
export const slowRules = (files: Outcome['files'], busy = 1): Failure[] =>
  files
    .filter(
      ({ ms, longestMs }) => ms - longestMs > RULE_FILE_MS * busy || longestMs > 2 * RULE_FILE_MS * busy,
    )
    .filter(({ file }) => !file.endsWith('.dom.test.ts'))
    .map(({ file, ms }) => ({
      file,
      name: `took ${Math.round(ms)} ms`,
      error: `A file of rules takes ${RULE_FILE_MS} ms at most. Do less in it, or name it *.process.test.ts where it waits.`,
    }))

/** The files that took longest, one a line with its seconds, the slowest first. */
export const slowestText = (files: Outcome['files'], most: number): string =>
  [...files]
    .sort((a, b) => b.ms - a.ms)
    .slice(0, most)
    .map(({ file, ms }) => `${(ms / 1_000).toFixed(1).padStart(6)} s  ${file}`)
    .join('\n')

/** Each failure by its name with the first lines of its error: 20, or fewer where many failed. */
export function failureText(failures: readonly Failure[]): string {
  const most = Math.floor(LINES_ALL / Math.max(failures.length, 1))
  const each = Math.min(Math.max(most, LINES_LEAST), LINES_EACH)
  return failures
    .map(({ file, name, error }) => [`✗ ${file} > ${name}`, ...firstLines(error, each)].join('\n    '))
    .join('\n')
}

/** Each reason that tests were skipped for, with how many and where. */
export function skippedText(skipped: readonly Skipped[]): string {
  const byReason = Map.groupBy(skipped, ({ reason }) => reason)
  return [...byReason]
    .map(([reason, tests]) => {
      const files = [...new Set(tests.map(({ file }) => file))]
      const more = files.length > FILES_EACH ? ` and ${files.length - FILES_EACH} more files` : ''
      return `- ${reason}  (${tests.length}: ${files.slice(0, FILES_EACH).join(', ')}${more})`
    })
    .join('\n')
}

/** Without colours, and without the frames of the test runner itself. */
const firstLines = (error: string, lines: number) =>
  stripVTControlCharacters(error)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at (new Promise|.*node_modules)/.test(line))
    .slice(0, lines)
