import { verifies } from '@svc/conformance/verifies'
import { Refusal } from '@svc/contract'
import { expect } from 'vitest'
import { checkParts } from './body.ts'

const limits = { BODY_CONTAINERS_MAX: 3, BODY_NAMES_MAX: 3 }
const held = (text: string) => {
  try {
    checkParts(Buffer.from(text), limits)
    return 'taken'
  } catch (error) {
    return error instanceof Refusal ? error.message : error
  }
}
const containers = 'the body may have at most 3 lists and objects, got more'
const names = 'the body may have at most 3 names of fields, got more'

verifies.each('pause.body')([
  ['[[],[]]', 'taken'],
  ['[[],[],[]]', containers],
  ['{"a":{"b":{}}}', 'taken'],
  ['[{},[],{}]', containers],
  ['{"a":1,"b":2,"c":3}', 'taken'],
  ['{"a":1,"b":2,"c":3,"d":4}', names],
  ['["[[[[{{{{::::"]', 'taken'],
  ['["\\"[[[[[", "\\\\", "[[[["]', 'taken'],
  ['["\\\\",[],[],[]]', containers],
  ['"never ends [[[[[[', 'taken'],
  [`[${'1,'.repeat(1_000)}1]`, 'taken'],
])('%s is %s', (text, outcome) => expect(held(text)).toBe(outcome))
