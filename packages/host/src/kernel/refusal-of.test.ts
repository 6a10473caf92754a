import { verifies } from '@svc/conformance/verifies'
import { errorBody, refuse } from '@svc/contract'
import { StoreError } from '@svc/state'
import { BusError } from '@svc/state/driver'
import { pino } from 'pino'
import { expect } from 'vitest'
import { loggedRefusal, refusalOf } from './refusal-of.ts'

const SECRET = '/data/svc.db'
/** What another copy of the package would throw. */
const ofAnotherCopy = Object.assign(new Error(SECRET), { name: 'StoreError', code: 'unavailable' })

verifies.each('data.full')([
  ['a store that cannot be written', new StoreError('unavailable', SECRET), 'storage_unavailable'],
  ['journals that cannot be written', new BusError('unavailable', SECRET), 'storage_unavailable'],
  ['the store of another copy of its package', ofAnotherCopy, 'storage_unavailable'],
  ['a damaged record', new StoreError('damaged', SECRET), 'internal_error'],
  ['a closed store', new StoreError('closed', SECRET), 'internal_error'],
  ['a fault of ours', new TypeError(SECRET), 'internal_error'],
  ['what is no error', SECRET, 'internal_error'],
  ['a refusal that says that it is logged', refuse('internal_error'), 'internal_error'],
  ['a refusal', refuse('not_found', 'there is no such window'), 'not_found'],
] as const)('%s is told by its code alone, and logged unless it was a refusal', (name, error, code) => {
  const logged: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) })
  const refusal = loggedRefusal(log, error, 'a call failed', { ns: 'storage' })
  expect(refusal.code).toBe(code)
  expect(JSON.stringify(errorBody(refusal))).not.toContain(SECRET)
  expect(errorBody(refusal).details?.retriable).toBe(code === 'storage_unavailable' ? true : undefined)
  expect(logged.map((line) => JSON.parse(line).ns)).toEqual(name === 'a refusal' ? [] : ['storage'])
  expect(refusalOf(error).code).toBe(code)
})
