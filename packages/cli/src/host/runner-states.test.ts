import type { RemoteEnd, RemoteState } from '@svc/runner'
import { expect, it } from 'vitest'
import { endFailure, stateLine } from './runner-states.ts'

const url = 'https://apps.site.org'

it.each<[RemoteState, string | null]>([
  [{ state: 'connecting' }, 'connecting to https://apps.site.org'],
  [{ state: 'online', runnerId: 'rnr_1', name: 'desk' }, 'online as desk; stop it with Ctrl-C'],
  [
    { state: 'waiting', retryInMs: 1_500, problem: 'The host is away.' },
    'offline: The host is away; tries again in 1.5 s',
  ],
  [{ state: 'ended', reason: 'closed', message: 'It was closed.' }, null],
])('says %j', (state, line) => {
  expect(stateLine(state, url)).toBe(line)
})

it.each<[RemoteEnd['reason'], object | null]>([
  ['closed', null],
  ['unknown_token', { kind: 'token', message: 'It is over', hint: 'Do this. Or that.' }],
  ['displaced', { kind: 'token' }],
  ['wrong_name', { kind: 'host' }],
  ['incompatible', { kind: 'host' }],
])('ends with a failure of its own where it is %s', (reason, failed) => {
  const end = endFailure({ reason, message: 'It is over. Do this. Or that.' })
  if (failed === null) expect(end).toBe(null)
  else expect(end).toMatchObject(failed)
})
