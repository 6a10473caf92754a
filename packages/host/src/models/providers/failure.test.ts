import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { expect } from 'vitest'
import { type Cost, ModelFailure } from './failure.ts'
import { failureOf } from './failure-of.ts'
import { openWatch, persist } from './watch.ts'

const error = (fields: object) => Object.assign(new Error('sk-secret'), fields)
const status = (statusCode: number) => error({ name: 'AI_APICallError', statusCode })
const coded = (code: string) => error({ name: 'AI_APICallError', cause: error({ cause: error({ code }) }) })

verifies.each(['decision.model.failures', 'wall.model_keys'])([
  [status(400), 'refused', 'invalid_arg', 'call', false],
  [status(413), 'too_long', 'invalid_arg', 'call', false],
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
  [coded('CERT_HAS_EXPIRED'), 'unreachable', 'internal_error', 'nothing', false],
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

verifies.each('decision.model.fixes')([
  ['ECONNREFUSED', /No server listens/],
  ['ENOTFOUND', /name of the server is not known/],
  ['EHOSTUNREACH', /No way leads/],
  ['ERR_SSL_WRONG_VERSION_NUMBER', /does not speak TLS/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /for another name/],
  ['CERT_HAS_EXPIRED', /has expired/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /NODE_EXTRA_CA_CERTS/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS/],
  ['CERT_NOT_YET_VALID', /cannot be used/],
  ['HPE_INVALID_CONSTANT', /other than HTTP/],
  ['ECONNRESET', /closes connections/],
])('the log says what to change where a connection fails with %s', (code, fix) => {
  expect(failureOf('m', coded(code)).note).toMatchObject({ cause: code, fix: expect.stringMatching(fix) })
})

verifies.each('decision.model.fixes')([
  [401, '', /SVC_LLM_API_KEY/],
  [404, 'the model m is not there', /no model "m"/],
  [404, '{"detail":"Not Found"}', /ends with \/v1/],
  [302, '', /web page/],
  [403, '<html>', /web page/],
  [400, 'Client sent an HTTP request to an HTTPS server.', /write https/],
  [400, '<h1>The plain HTTP request was sent to HTTPS port</h1>', /write https/],
  [407, '', /HTTPS_PROXY/],
  [413, '', /limit for bodies/],
  [418, '', /Nothing answers chats/],
  [500, '', /log of the server/],
])('the log says what to change after status %j with %j', (statusCode, responseBody, fix) => {
  const url = 'http://u:sk-1@a.test/v1/chat/completions?key=sk-2'
  const { note, details } = failureOf('m', error({ name: 'AI_APICallError', statusCode, responseBody, url }))
  expect(note).toMatchObject({
    address: 'http://a.test/v1/chat/completions?key=…',
    fix: expect.stringMatching(fix),
  })
  expect(details?.status).toBe(statusCode)
})

verifies.each('decision.model.retry_after')([
  ['short enough', '9', 9_000, true],
  ['too long', '11', 11_000, false],
])('a wait that a server asks for and that is %s', async (_name, seconds, ms, isAskedAgain) => {
  const clock = frozenClock()
  const watch = openWatch('m', { clock, limits })
  const busy = error({
    name: 'AI_APICallError',
    statusCode: 429,
    responseHeaders: { 'retry-after': seconds },
  })
  let asked = 0
  const outcome = persist('m', limits, watch, async () => {
    asked += 1
    if (asked === 1) throw busy
    return 'answer'
  }).catch((failure: ModelFailure) => failure.details)
  await clock.advance(0)
  await clock.advance(ms - 1)
  expect(asked).toBe(1)
  await clock.advance(1)
  expect(asked).toBe(isAskedAgain ? 2 : 1)
  expect(await outcome).toEqual(
    isAskedAgain ? 'answer' : expect.objectContaining({ retry_after_ms: ms, hint: 'Try again in 11 s.' }),
  )
  watch.close()
})

verifies.each('decision.model.failures')([
  [400, { error: { code: 'API_KEY_INVALID' } }, 'closed'],
  [429, { error: { type: 'insufficient_quota' } }, 'closed'],
  [400, { error: { code: 'rate_limit_exceeded' } }, 'busy'],
  [400, { error: { code: 'content_filter' } }, 'refused'],
  [500, { error: { code: 'something_new' } }, 'broken'],
  [404, { error: { code: 'model_not_found' } }, 'closed'],
  [400, { error: 'no' }, 'refused'],
  [400, [], 'refused'],
])('status %j with %j is %s: a code that is known counts first', (statusCode, body, reason) => {
  const thrown = error({ name: 'AI_APICallError', statusCode, responseBody: JSON.stringify(body) })
  expect(failureOf('m', thrown).reason).toBe(reason)
})
