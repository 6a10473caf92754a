import { createHash } from 'node:crypto'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { consentTo, termsOf, unagreed } from './agreement.ts'
import type { Deployable } from './plugin-state.ts'

const sky = {
  tool_id: 'tool-eve-sky',
  owner: 'eve',
  reach: { hosts: ['api.example.com'] },
  spec: {
    id: 'tool-eve-sky',
    version: '1.2.0',
    distribution: { type: 'npm', version: '1.2.0', package_name: 'sky' },
  },
} as unknown as Deployable

/** Written by hand: what a machine computes too (gate.test.ts), so that both show one text to agree to. */
const text =
  '{"distribution":{"package_name":"sky","type":"npm","version":"1.2.0"},"owner":"eve","reach":"host api.example.com","tool_id":"tool-eve-sky","version":"1.2.0"}'
const digest = createHash('sha256').update(text).digest('hex').slice(0, 32)

verifies('wall.consent.terms', 'the digest is that of author, version, distribution and reach', () => {
  expect(termsOf(sky)).toMatchObject({ author: 'eve', version: '1.2.0', digest })
})

it('reads the terms of a content once', () => {
  expect(termsOf(sky)).toBe(termsOf(sky))
})

const plug = { tool_id: 'tool-eve-sky', version: '1.2.0', digest }
verifies.each('wall.consent')([
  ['of its author', 'eve', {}, 'none'],
  ['of nobody', 'ada', {}, 'asked'],
  ['to these terms', 'ada', { grants: { plugs: [plug] } }, 'agreed'],
  ['to other terms', 'ada', { grants: { plugs: [{ ...plug, digest: 'a' }] } }, 'asked'],
  ['to another plugin', 'ada', { grants: { plugs: [{ ...plug, tool_id: 'tool-x' }] } }, 'asked'],
  ['once, to these terms', 'ada', { once: [digest] }, 'once'],
  ['once, to other terms', 'ada', { once: ['a'] }, 'asked'],
  [
    'and a refusal for good',
    'ada',
    { grants: { plugs: [plug], plugs_never: [plug.tool_id] }, once: [digest] },
    'never',
  ],
] as const)('the agreement %s (%s)', (_name, userId, said, consent) => {
  expect(consentTo(sky, userId, said as never)).toBe(consent)
})

verifies.each('wall.consent.listed')([
  ['asked', /^you have not agreed to run it/],
  ['never', /^you chose that it may never run/],
] as const)(
  'a plugin that is not agreed to (%s) is unavailable, with the reason and no runner',
  (consent, problem) => {
    const publisher = { name: 'eve', verified: false }
    expect(unagreed(sky, consent, publisher)).toEqual({
      status: 'unavailable',
      problem: expect.stringMatching(problem),
      link: null,
      unagreed: { consent, terms: { ...termsOf(sky), publisher } },
    })
  },
)
