import { describe, expect, it } from 'vitest'
import { insteadOf } from './refused-apis.ts'

describe('what the sandbox refuses', () => {
  it.each([
    'TypeError: Failed to fetch',
    'Unhandled rejection: TypeError: Failed to fetch',
    'Unhandled rejection: TypeError: NetworkError when attempting to fetch resource.',
    'Unhandled rejection: TypeError: Load failed',
    "NetworkError: Failed to execute 'send' on 'XMLHttpRequest': Failed to load 'https://example.org/'.",
  ])('leads from %s to svc.web', (message) => {
    expect(insteadOf(message)).toMatch(/svc\.web .* "csp": \{"connect_src": \["https:/)
  })

  it.each([
    "SecurityError: Failed to read the 'localStorage' property from 'Window': The document is sandboxed and lacks the 'allow-same-origin' flag.",
    "SecurityError: Failed to read the 'cookie' property from 'Document': The document is sandboxed and lacks the 'allow-same-origin' flag.",
    'SecurityError: The operation is insecure.',
    "SecurityError: Failed to execute 'open' on 'IDBFactory': access to the Indexed Database API is denied in this context.".replace(
      'the Indexed Database API',
      'indexedDB',
    ),
  ])('leads from %s to svc.storage', (message) => {
    expect(insteadOf(message)).toContain('svc.storage')
  })

  it.each([
    "EvalError: Evaluating a string as JavaScript violates the following Content Security Policy directive because 'unsafe-eval' is not an allowed source",
    'EvalError: call to eval() blocked by CSP',
  ])('leads from %s to a build without it', (message) => {
    expect(insteadOf(message)).toContain('no eval')
  })

  it.each(["TypeError: Cannot read properties of undefined (reading 'x')", 'Error: boom'])(
    'leaves %s alone',
    (message) => {
      expect(insteadOf(message)).toBeNull()
    },
  )
})
