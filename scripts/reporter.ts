import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'

/** A test that failed, or a file that failed beside its tests. */
export interface Failure {
  readonly file: string
  /** Its full name. */
  readonly name: string
  readonly error: string
}

/** A test that did not run, and what is missing. */
export interface Skipped {
  readonly file: string
  readonly reason: string
}

/** What a run of Vitest came to. */
export interface Outcome {
  /** How long each file took, in ms, without its imports, and its longest test. */
  readonly files: readonly { readonly file: string; readonly ms: number; readonly longestMs: number }[]
  readonly passed: number
  readonly failures: readonly Failure[]
  readonly skipped: readonly Skipped[]
}

/** Names the file that the outcome is written to. */
export const OUTCOME = 'SVC_TEST_OUTCOME'

/** A reporter of Vitest that writes what a run came to as JSON. */
export default class OutcomeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const file = process.env[OUTCOME]
    if (file) writeFileSync(file, JSON.stringify(outcomeOf(modules, errors)))
  }
}

function outcomeOf(modules: readonly TestModule[], errors: readonly SerializedError[]): Outcome {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  return {
    files: modules.map((module) => ({
      file: fileOf(module),
      ms: module.diagnostic().duration,
      longestMs: Math.max(
        0,
        ...[...module.children.allTests()].map((test) => test.diagnostic()?.duration ?? 0),
      ),
    })),
    passed: tests.filter((test) => test.result().state === 'passed').length,
    failures: [
      ...modules.flatMap(failuresOf),
      ...errors.map((error) => ({ file: 'vitest', name: '(beside the tests)', error: textOf([error]) })),
    ],
    skipped: tests.flatMap(skippedOf),
  }
}

/** Every failed test; a file that failed without naming one counts as one. */
function failuresOf(module: TestModule): Failure[] {
  const file = fileOf(module)
  const failed = [...module.children.allTests('failed')].map((test) => ({
    file,
    name: test.fullName,
    error: textOf(test.result().errors ?? []),
  }))
  const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors())
  const beside = [...module.errors(), ...suites]
  const isMute = failed.length === 0 && (beside.length > 0 || module.state() === 'failed')
  return isMute ? [{ file, name: '(the file itself)', error: textOf(beside) }] : failed
}

function skippedOf(test: TestCase): Skipped[] {
  const result = test.result()
  if (result.state !== 'skipped' && result.state !== 'pending') return []
  const note = result.state === 'skipped' ? result.note : undefined
  return [{ file: fileOf(test.module), reason: note ?? `no reason is given by "${test.fullName}"` }]
}

const fileOf = ({ moduleId }: TestModule) => path.relative('', moduleId)

const textOf = (errors: readonly SerializedError[]) =>
  errors.map(({ stack, message, diff }) => [stack ?? message, diff ?? ''].join('\n')).join('\n')
