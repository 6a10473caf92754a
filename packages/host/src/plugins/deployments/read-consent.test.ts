import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { installId } from '../../catalog/records.ts'
import { type ConsentScope, consentScope, readConsent } from './read-consent.ts'

const grants = { plugs: [{ tool_id: 'tool-eve-sky', version: '1.0.0', digest: 'a' }] }
const windows = {
  own: { user_id: 'ada', app_id: 'app_1', agreed: ['once'] },
  'of another app': { user_id: 'ada', app_id: 'app_2', agreed: ['once'] },
  'of another user': { user_id: 'bob', app_id: 'app_1', agreed: ['once'] },
} as const

/** Ada has installed app_1; copies that answer at once, as they do of what they know. */
const copies = {
  installs: { get: (id: string) => (id === installId('ada', 'app_1') ? { id, row: { grants } } : null) },
  windows: { get: (id: string) => (id in windows ? { id, row: windows[id as keyof typeof windows] } : null) },
} as never
const said = (more: Partial<ConsentScope>) =>
  readConsent(copies, { userId: 'ada', appId: 'app_1', window: null, ...more })

verifies.each('wall.consent')<[string, Partial<ConsentScope>, object]>([
  ['of a page of the own counts nothing', { appId: null }, {}],
  ['of an app that is not installed counts nothing', { appId: 'app_2' }, {}],
  ['of another user counts nothing', { userId: 'bob' }, {}],
  ['of an install counts its grants', {}, { grants, once: [] }],
  ['of a job counts the terms that it was accepted under', { once: 'b' }, { grants, once: ['b'] }],
  ['of a job without such counts its grants', { once: null }, { grants, once: [] }],
  ['of a window counts what was agreed there', { window: { id: 'own' } }, { grants, once: ['once'] }],
  ['of a window that is gone counts none of it', { window: { id: 'gone' } }, { grants, once: [] }],
  ['of a window of another app', { window: { id: 'of another app' } }, { grants, once: [] }],
  ['of a window of another user', { window: { id: 'of another user' } }, { grants, once: [] }],
])('what was said %s', async (_name, more, expected) => {
  expect(await said(more)).toEqual(expected)
})

verifies.each('wall.consent')([
  [{ app_id: 'app_1' }, 'app_1'],
  [null, null],
])('whose word counts for a seeker at %j', (version, appId) => {
  const window = { id: 'own' }
  expect(consentScope({ userId: 'ada', version: version as never, window })).toEqual({
    userId: 'ada',
    appId,
    window,
  })
})
