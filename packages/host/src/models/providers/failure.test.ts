import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { expect } from 'vitest'
import { type Cost, failureOf, ModelFailure } from './failure.ts'
import { openWatch, persist } from './watch.ts'

const error = (fields: object) => Object.assign(new Error('sk-secret'), fields)
const status = (statusCode: number) => error({ name: 'AI_APICallError', statusCode })
const coded = (code: string) => error({ name: 'AI_APICallError', cause: error({ cause: error({ code }) }) })

verifies.each(['decision.model.failures', 'wall.model_keys'])([
  [status(400), 'refused', 'invalid_arg', 'call', false],
  [status(413), 'refused', 'invalid_arg', 'call', false],
  [status(422), 'refused', 'invalid_arg', 'call', false],
  [status(401), 'closed', 'internal_error', 'call', false],
  [status(302), 'closed', 'internal_error', 'call', false],
  [status(404), 'closed', 'internal_error', 'call', false],
  [status(408), 'busy', 'internal_error', 'call', true],
  [status(429), 'busy', 'internal_error', 'call', true],
  [status(500), 'broken', 'internal_error', 'call', true],
  [status(529), 'broken', 'internal_error', 'call', true],
  [status(200), 'malformed', 'internal_error', 'unknown', false],
  [coded('ECONNREFUSED'), 'unreachable', 'internal_error', 'nothing', true],
  [coded('ENOTFOUND'), 'unreachable', 'internal_error', 'nothing', true],
  [coded('CERT_HAS_EXPIRED'), 'unreachable', 'internal_error', 'nothing', true],
  [coded('ECONNRESET'), 'cut', 'internal_error', 'unknown', true],
  [coded('SOMETHING_NEW'), 'cut', 'internal_error', 'unknown', true],
  [new TypeError('terminated'), 'cut', 'internal_error', 'unknown', true],
  [error({ name: 'AI_JSONParseError' }), 'malformed', 'internal_error', 'unknown', false],
  [error({ cause: new ModelFailure('m', 'oversize') }), 'oversize', 'result_too_large', 'unknown', false],
  [{ message: 'overloaded' }, 'broken', 'internal_error', 'call', true],
  [{ message: 'sk-', code: 'ECONNREFUSED', statusCode: 401 }, 'broken', 'internal_error', 'call', true],
  [{ name: 'TypeError', cause: { code: 'ENOTFOUND' } }, 'broken', 'internal_error', 'call', true],
  ['overloaded', 'broken', 'internal_error', 'call', true],
  [undefined, 'broken', 'internal_error', 'call', true],
])('%s is %s', (thrown, reason, code, cost, retriable) => {
  const failure = failureOf('m', thrown)
  expect(failure).toMatchObject({ reason, code, cost, retriable, details: { reason } })
  expect(`${failure.message} ${JSON.stringify(failure.details)}`).not.toContain('sk-')
})

verifies('decision.model.failures', 'an error that is its own cause ends the search', () => {
  const circle = error({})
  circle.cause = circle
  expect(failureOf('m', circle).reason).toBe('malformed')
})

verifies.each('decision.quota.settled')([
  [['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED'], 'nothing'],
  [['ECONNRESET', 'ECONNREFUSED', 'ECONNREFUSED'], 'unknown'],
  [['ECONNREFUSED', 'ECONNRESET', 'ECONNREFUSED'], 'unknown'],
] as [string[], Cost][])('after %j the cost is %s: every try counts', async (codes, cost) => {
  const clock = frozenClock()
  const watch = openWatch('m', { clock, limits })
  const outcome = persist('m', limits, watch, () => Promise.reject(coded(codes.shift() ?? '')))
  const failure = outcome.catch((thrown) => thrown)
  await clock.advance(0)
  await clock.advance(limits.MODEL_RETRY_MS * 10)
  expect(await failure).toMatchObject({ reason: 'unreachable', cost })
  watch.close()
})
