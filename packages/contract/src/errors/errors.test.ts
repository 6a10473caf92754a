import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { type ErrorCode, errorBody, errorRow, errors, refuse } from './errors.ts'

/** Code and HTTP status, written out once more. */
const rpc = [
  ['invalid_token', 401],
  ['permission_denied', 403],
  ['invalid_arg', 400],
  ['not_found', 404],
  ['agent_unavailable', 503],
  ['plug_error', 502],
  ['plug_unavailable', 503],
  ['tool_failed', 502],
  ['tool_timeout', 504],
  ['subcall_timeout', 504],
  ['result_too_large', 413],
  ['frame_too_large', 413],
  ['bundle_not_ready', 409],
  ['rate_limited', 429],
  ['state_too_large', 413],
  ['precondition_failed', 412],
  ['not_implemented', 501],
  ['quota_exceeded', 429],
  ['job_quota_exceeded', 429],
  ['long_job_capacity', 503],
  ['job_not_found', 404],
  ['internal_error', 500],
] as const

/** Name, HTTP status and number of the session errors, written out once more. */
const session = [
  ['APP_SESSION_EXPIRED', 410, -32017],
  ['APP_SESSION_TOKEN_EXPIRED', 401, -32018],
  ['APP_SESSION_REVOKED', 410, -32011],
  ['APP_SESSION_NOT_FOUND', 404, undefined],
  ['session_expired', 410, undefined],
  ['APP_QUOTA_EXCEEDED', 429, undefined],
  ['APP_MODEL_NOT_VISION_CAPABLE', 422, undefined],
  ['APP_INVALID_REQUEST', 400, undefined],
] as const

/** Codes of other routes and of jobs. */
const others = [
  ['conflict', 409],
  ['storage_unavailable', 503],
  ['no_content_changes', 409],
  ['draft_expired', 410],
  ['cancelled', 499],
] as const

verifies.each('errors.table')(rpc)('%s is a row', (code) => {
  expect(Object.hasOwn(errors, code)).toBe(true)
})

verifies.each('design.errors.statuses')([
  ...rpc,
  ...session.map(([code, status]) => [code, status] as const),
  ...others,
])('%s answers %i', (code, status) => {
  expect(errorRow(code).status).toBe(status)
})

it('has no code beside those', () => {
  const known = [...rpc, ...session, ...others].map(([code]) => code as string)
  expect(Object.keys(errors).sort()).toEqual(known.sort())
})

verifies.each('errors.session.numbers')(session.filter(([, , number]) => number !== undefined))(
  '%s has %i and %i',
  (code, status, number) => {
    expect(errorRow(code)).toMatchObject({ status, rpcCode: number })
  },
)

verifies.each('errors.session.names')(session)('%s is a row', (code) => {
  expect(Object.hasOwn(errors, code)).toBe(true)
})

verifies.each(['errors.session.by_name', 'design.session_errors.details'])(session)(
  'the body of %s names it',
  (code, status, number) => {
    expect(errorBody(refuse(code))).toEqual({
      code,
      name: code,
      message: errors[code].sentence,
      details: { http_status: status, ...(number !== undefined && { rpc_code: number }) },
    })
  },
)

it.each(Object.entries(errors))('%s has a sentence of its own', (_code, row) => {
  expect(row.sentence).toMatch(/^[A-Z].*\.$/)
  expect(Object.values(errors).filter((other) => other.sentence === row.sentence)).toHaveLength(1)
})

verifies.each('design.inherited_names')([
  'constructor',
  'toString',
  '__proto__',
  'hasOwnProperty',
  '',
  'nosuch',
])('%j reads as internal_error', (code) => {
  expect(errorRow(code)).toBe(errors.internal_error)
})

describe('the body of a refusal', () => {
  it.each<[ErrorCode, Record<string, unknown> | undefined, Record<string, unknown> | undefined]>([
    ['invalid_arg', undefined, undefined],
    ['tool_failed', { error: 'no such city' }, { error: 'no such city' }],
    ['agent_unavailable', undefined, { retriable: true }],
    ['rate_limited', undefined, { retriable: true }],
    ['job_quota_exceeded', undefined, { retriable: true }],
    ['long_job_capacity', undefined, { retriable: true }],
    ['result_too_large', { size: 9, max: 8, retriable: false }, { size: 9, max: 8, retriable: false }],
    ['plug_unavailable', { retriable: true }, { retriable: true }],
  ])('of %s with %j carries %j', (code, given, details) => {
    const body = errorBody(refuse(code, 'Said so.', given))
    expect(body).toEqual({ code, message: 'Said so.', ...(details && { details }) })
  })

  it('falls back to the sentence of its row', () => {
    expect(refuse('not_found').message).toBe(errors.not_found.sentence)
  })

  it('is an exception with a stack', () => {
    const refusal = refuse('not_found', 'No window.')
    expect(refusal).toBeInstanceOf(Error)
    expect(String(refusal)).toBe('Refusal: No window.')
  })
})
