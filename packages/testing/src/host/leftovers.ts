import { TestHostError } from '../errors/test-host-error.ts'
import type { OpenModels } from '../models/test-models.ts'
import type { TestRunner } from '../tools/test-runner.ts'
import type { Windows } from '../windows/windows.ts'

/** Who may have something left open. */
export interface LeftoverParts {
  readonly windows: Windows
  readonly runner: TestRunner
  readonly models: OpenModels
}

/** What a test left open, as one error; `null`: nothing. */
export function leftovers({ windows, runner, models }: LeftoverParts): TestHostError | null {
  const left = [
    ...windows.openCalls.map((name) => `the call ${name} has no answer`),
    ...runner.running.map((name) => `the tool ${name} has not returned`),
    ...models.answering.map((name) => `the model "${name}" has not finished its answer`),
  ]
  return left.length === 0
    ? null
    : new TestHostError(
        `host.close() came while something was open: ${left.join('; ')}`,
        'Await what the test began, let time pass with host.clock.advance, cancel it by its signal, or close its window before the host.',
      )
}
