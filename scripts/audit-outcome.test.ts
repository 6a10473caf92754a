import { expect, it } from 'vitest'
import { auditOutcome } from './audit-outcome.ts'

const unanswered = { code: 1, output: ' ERR_PNPM_AUDIT_BAD_RESPONSE  The registry answered 404' }

it.each([
  ['nothing is known', { code: 0, output: 'No known vulnerabilities found\n' }, [], 0],
  ['something is known', { code: 1, output: '1 vulnerabilities found' }, [], 1],
  [
    'something is known, and no answer would do',
    { code: 1, output: '1 vulnerabilities found' },
    ['--offline-ok'],
    1,
  ],
  ['nobody answered', unanswered, [], 1],
  ['nobody answered, by the exit code of success', { ...unanswered, code: 0 }, [], 1],
  ['nobody answered, which will do', unanswered, ['--offline-ok'], 0],
  ['an option is unknown', unanswered, ['--offline'], 2],
])('%s', (_, audited, options, code) => {
  expect(auditOutcome(audited, options).code).toBe(code)
})

it('says what was not done, and how to accept it', () => {
  expect(auditOutcome(unanswered, []).text).toBe(
    'svc: the registry returned no advisories (ERR_PNPM_AUDIT_BAD_RESPONSE); nothing was audited. To accept that: npm run audit -- --offline-ok',
  )
})
