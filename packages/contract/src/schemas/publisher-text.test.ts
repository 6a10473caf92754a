import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { publisherText } from './publisher-text.ts'

verifies.each('publisher.terms')([
  ['Discord Inc.', true, 'Discord Inc. (verified by this host)'],
  ['discord@evil', false, 'discord@evil (not verified)'],
  ['auth0|5f7c-8', false, 'auth0|5f7c-8 (not verified)'],
  ['Discord Inc. (verified by this host)', false, '"Discord Inc. (verified by this host)" (not verified)'],
  ['a" (verified', false, '"a\\" (verified" (not verified)'],
  [' eve\u200b', false, '" eve\\u200b" (not verified)'],
  ['eve\u3164', false, '"eve\\u3164" (not verified)'],
  ['eve\u202e\u200b\n(x', false, '"eve\\u202e\\u200b\\n(x" (not verified)'],
] as const)('%j, %s', (name, verified, text) => expect(publisherText({ name, verified })).toBe(text))
