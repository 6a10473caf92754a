import { expect, it } from 'vitest'
import { explainFailure, failure, failureJson } from './failure.ts'
import { readPort } from './read-port.ts'

it('says a failure in one sentence and a hint, with the exit code of its kind', () => {
  expect(explainFailure(failure('port', 'port 1 is in use', 'take 2'))).toEqual({
    code: 5,
    lines: ['svc: port 1 is in use', '     take 2'],
  })
  expect(explainFailure(failure('usage', 'no'))).toEqual({ code: 2, lines: ['svc: no'] })
})

it('says where the docs tell about a code, to readers and to programs', () => {
  const failed = failure('host', 'no such app', undefined, 'not_found')
  const docs = 'docs/reference/errors.md#not_found'
  expect(explainFailure(failed).lines).toEqual([
    'svc: no such app',
    '     See "not_found" in the reference of errors.',
  ])
  expect(failureJson(failed)).toEqual({
    ok: false,
    error: { kind: 'host', code: 'not_found', message: 'no such app', docs },
  })
})

it('names a defect of its own as one', () => {
  const { code, lines } = explainFailure(new Error('boom'))
  expect([code, lines[0]]).toEqual([1, 'svc: an error inside svc itself'])
  expect(lines[1]).toContain('boom')
})

it.each([
  ['0', 0],
  ['8787', 8_787],
  ['65535', 65_535],
])('reads the port %s', (text, port) => {
  expect(readPort(text)).toBe(port)
})

it.each(['', '-1', '65536', '1e3', '80.5', 'http'])('refuses the port %j', (text) => {
  expect(() => readPort(text)).toThrow(`--port must be a whole number from 0 to 65535, got "${text}"`)
})
