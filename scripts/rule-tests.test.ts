import path from 'node:path'
import { expect, it } from 'vitest'
import { ruleTests } from './rule-tests.ts'

const root = path.resolve(import.meta.dirname, '..')
const rules = ruleTests(root).map((file) => path.relative(root, file))

it.each([
  ['scripts/rule-tests.test.ts', true],
  ['packages/contract/src/values/tokens.test.ts', true],
  ['packages/host/src/work/jobs/races.test.ts', true],
  // Starts plugins.
  ['packages/host/src/edge/handlers/tools-process.test.ts', false],
  ['packages/conformance/src/jobs-own.test.ts', false],
  // Opens a host.
  ['packages/host/src/data/storage/crowds.test.ts', false],
  ['packages/runner/src/calls/job.test.ts', false],
  ['packages/host/src/events/frames-cut.faults.test.ts', false],
])('%s is a test of rules: %s', (file, isRule) => {
  expect(rules.includes(file)).toBe(isRule)
})
