import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { calledName } from './called-name.ts'

const tools = new Set(['probe', 'a.probe', 'read'])

verifies.each('llm.complete.result')([
  ['probe', 'probe'],
  ['a.probe', 'a.probe'],
  [' probe\n', 'probe'],
  ['functions.probe', 'probe'],
  ['default_api:probe', 'probe'],
  ['probe<|channel|>commentary', 'probe'],
  ['functions.read<|constrain|>json', 'read'],
  ['Probe', 'Probe'],
  ['nobody.has', 'nobody.has'],
])('%j is a call of %j', (name, tool) => {
  expect(calledName(name, tools)).toBe(tool)
})
