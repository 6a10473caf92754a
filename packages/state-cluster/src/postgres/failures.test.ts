import { DatabaseError } from 'pg'
import { expect, it } from 'vitest'
import { meaningOf, sentenceOf } from './failures.ts'

const answer = (code: string, message = 'no') =>
  Object.assign(new DatabaseError(message, message.length, 'error'), { code })

it.each([
  // PgBouncer has one code for all that it says itself, whether the statement ran or not.
  ['08P01', 'server conn crashed?', 'cut'],
  ['08P01', 'query_wait_timeout', 'cut'],
  ['08P01', 'bind message supplies 0 parameters, but prepared statement "svc_get" requires 2', 'unnamed'],
  ['26000', 'prepared statement "svc_get" does not exist', 'unnamed'],
  ['57P01', 'terminating connection due to administrator command', 'cut'],
  ['25P03', 'terminating connection due to idle-in-transaction timeout', 'cut'],
  ['28P01', 'password authentication failed for user "svc"', 'failed'],
  ['28000', 'role "svc" is not permitted to log in', 'failed'],
  ['3D000', 'database "svc" does not exist', 'failed'],
  ['42501', 'permission denied for schema svc', 'failed'],
  ['23505', 'duplicate key value violates unique constraint', 'bug'],
])('an error %s (%s) means that the statement was %s', (code, message, meaning) => {
  expect(meaningOf(answer(code, message), true)).toBe(meaning)
})

it('what says that a host may not connect names no address', () => {
  const error = answer('28000', 'no pg_hba.conf entry for host "10.1.2.3", user "svc", database "svc"')
  expect(sentenceOf(error)).toBe('PostgreSQL cannot be used: this host may not connect (28000)')
})
