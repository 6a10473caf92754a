import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { isByUser, type RateName, rates } from './rates.ts'

/** Written by hand: where nobody is signed in, there is no user whose requests could be counted. */
const byAddress: readonly string[] = ['public', 'browser', 'sign_in', 'refused']

verifies.each('load.rate.classes')(Object.keys(rates).map((name) => [name as RateName]))(
  'the class %s is counted by user, or by address where nobody is signed in',
  (name) => {
    expect(rates[name].by).toBe(byAddress.includes(name) ? 'address' : 'user')
    expect(isByUser(name)).toBe(!byAddress.includes(name))
  },
)
