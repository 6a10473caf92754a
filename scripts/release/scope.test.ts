import { expect, it } from 'vitest'
import { isScope, renamer } from './scope.ts'

it.each([
  [`import { svc } from '@svc/sdk'`, `import { svc } from '@acme/sdk'`],
  [`require("@svc/contract/errors")`, `require("@acme/contract/errors")`],
  [`{"@svc/state-sqlite":"1.0.0"}`, `{"@acme/state-sqlite":"1.0.0"}`],
  [`scope !== '@svc' && '@svc/*'`, `scope !== '@svc' && '@svc/*'`],
  ['"create-svc": "1.0.0"', '"@acme/create-svc": "1.0.0"'],
  ['npm create svc my-app', 'npm create @acme/svc my-app'],
  ['my-create-svc create-svc-app ./create-svc svc dev', 'my-create-svc create-svc-app ./create-svc svc dev'],
])('%s becomes %s', (text, renamed) => {
  expect(renamer('@acme', ['create-svc'])(text)).toBe(renamed)
})

it('changes nothing under the scope of the sources', () => {
  expect(renamer('@svc', ['create-svc'])('@svc/sdk create-svc')).toBe('@svc/sdk create-svc')
})

it.each([
  ['@acme', true],
  ['@my-org.x', true],
  ['acme', false],
  ['@Acme', false],
  ['@acme/x', false],
  ['@', false],
])('%s is a scope: %s', (text, is) => {
  expect(isScope(text)).toBe(is)
})
