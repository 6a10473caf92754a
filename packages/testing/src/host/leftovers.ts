import { TestHostError } from '../errors/test-host-error.ts'
import type { OpenModels } from '../models/test-models.ts'
import type { Network } from '../network/network.ts'
import type { TestRunner } from '../tools/test-runner.ts'
import type { Windows } from '../windows/windows.ts'

/** Who may have something left open, or a fault that waits. */
export interface LeftoverParts {
  readonly windows: Windows
  readonly runner: TestRunner
  readonly models: OpenModels
  readonly network: Network
}

/** What a test left open, and faults that it asked for in vain, as one error; `null`: nothing. */
export function leftovers({ windows, runner, models, network }: LeftoverParts): TestHostError | null {
  const open = [
    ...Array.from({ length: windows.opening }, () => 'openWindow has not opened its window'),
    ...windows.openCalls.map((name) => `the call ${name} has no answer`),
    ...runner.running.map((name) => `the tool ${name} has not returned`),
    ...models.answering.map((name) => `the model "${name}" has not finished its answer`),
  ]
  const idle = network.idle.map((call) => `the fault ${call} never struck`)
  if (open.length + idle.length === 0) return null
  const hints = [
    open.length > 0 &&
      'Await what the test began, let time pass with host.clock.advance, cancel it by its signal, or close its window before the host.',
    idle.length > 0 &&
      'A fault strikes what comes after it: a frame with that number in its run, or the next request. Ask for it before that.',
  ]
  return new TestHostError(
    `host.close() at the end of the test: ${[...open, ...idle].join('; ')}`,
    hints.filter(Boolean).join(' '),
  )
}
