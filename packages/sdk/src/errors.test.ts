import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { HostRpcError, isHostRpcError, ownError } from './errors.ts'

verifies('design.sdk.error', 'carries what the envelope says', () => {
  const error = new HostRpcError({
    code: 'permission_denied',
    message: 'not declared',
    details: { retriable: true, hint: 'Declare it.', denied_by: 'manifest' },
  })
  expect(error).toMatchObject({
    name: 'HostRpcError',
    code: 'permission_denied',
    message: 'not declared',
    retryable: true,
    hint: 'Declare it.',
    docs: 'docs/reference/errors.md#permission_denied',
    details: { denied_by: 'manifest' },
  })
  expect(error).toBeInstanceOf(Error)
})

it('has the names of the session errors as its name', () => {
  const error = new HostRpcError({ code: 'APP_SESSION_EXPIRED', name: 'APP_SESSION_EXPIRED', message: 'm' })
  expect([error.name, error.retryable, error.hint, error.details]).toEqual([
    'APP_SESSION_EXPIRED',
    false,
    undefined,
    {},
  ])
})

verifies.each('design.sdk.error_brand')([
  [ownError('timeout', 'm'), true],
  [{ isHostRpcError: true }, true],
  [new Error('m'), false],
  [null, false],
  ['text', false],
  [undefined, false],
])('knows its like, from another copy too: %s', (value, is) => {
  expect(isHostRpcError(value)).toBe(is)
})

it.each([
  [{ code: 'not_implemented', message: 'm' }, expect.stringContaining('svc.supports')],
  [{ code: 'not_implemented', message: 'm', details: { hint: 'the host knows' } }, 'the host knows'],
  [{ code: 'not_found', message: 'm' }, undefined],
  [{ code: 'constructor', message: 'm' }, undefined],
])('hints for %j', (body, hint) => {
  expect(new HostRpcError(body).hint).toEqual(hint)
})
