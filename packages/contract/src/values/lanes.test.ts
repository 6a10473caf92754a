import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { methodRows } from '../methods/index.ts'
import { slowMethods } from './lanes.ts'

verifies('design.lanes.agree', 'the slow methods are those that the table marks', () => {
  const marked = methodRows().flatMap(([ns, name, row]) => (row.slow ? [`${ns}.${name}`] : []))
  expect([...slowMethods].sort()).toEqual(marked.sort())
})
