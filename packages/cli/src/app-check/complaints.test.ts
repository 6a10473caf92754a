import { EventEmitter } from 'node:events'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { watchComplaints } from './complaints.ts'

/** A message on the console, as Playwright tells of it. */
const message = (text: string, url: string) => ({
  type: () => 'error',
  text: () => text,
  location: () => ({ url }),
})

const failed = 'Failed to load resource: net::ERR_FAILED'

it.each([
  ['an error', 'it went wrong', 'http://app.test/app.js', { console: ['it went wrong'] }],
  ['a file that is missing', failed, 'http://app.test/a.png?b', { console: [`${failed} /a.png`] }],
  ['a file without a place', failed, '', { console: [failed] }],
  ['a call that failed', failed, 'http://app.test/api/v1/rpc', {}],
  [
    'a refusal',
    'violates the Content Security Policy',
    '',
    { policy: ['violates the Content Security Policy'] },
  ],
])('notes %s where it belongs', (_, text, url, noted) => {
  const page = new EventEmitter()
  const complaints = watchComplaints(page as unknown as Page)
  page.emit('console', message(text, url))
  expect(complaints).toEqual({ uncaught: [], console: [], policy: [], ...noted })
})
