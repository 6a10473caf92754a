import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { job, reservation, run, session, visibility, window } from './index.ts'
import type { Machine } from './machine.ts'

const machines: Record<string, Machine<string, string>> = {
  job,
  session,
  run,
  reservation,
  visibility,
  window,
}

type Moves = readonly (readonly [from: string, event: string, to: string | null])[]

const holds =
  (name: string, ...moves: Moves) =>
  () => {
    for (const [from, event, to] of moves) expect(machines[name]?.next(from, event)).toBe(to)
  }

const jobEvents = ['start', 'succeed', 'fail', 'expire', 'cancel', 'requeue']

verifies('states.job.names', 'a job has six states', () => {
  expect(new Set<string>(job.states)).toEqual(
    new Set(['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired']),
  )
})
verifies.each('states.job.terminal')(['succeeded', 'failed', 'cancelled', 'expired'])(
  '%s is left by nothing',
  (state) => holds('job', ...jobEvents.map((event) => [state, event, null] as const))(),
)
verifies(
  'states.job.start',
  'a queued job starts once',
  holds('job', ['queued', 'start', 'running'], ['running', 'start', null]),
)
verifies(
  'states.job.finish',
  'a running job succeeds or fails, a queued one cannot succeed',
  holds(
    'job',
    ['running', 'succeed', 'succeeded'],
    ['running', 'fail', 'failed'],
    ['queued', 'succeed', null],
  ),
)
verifies(
  'states.job.expire',
  'a job expires queued or running',
  holds('job', ['queued', 'expire', 'expired'], ['running', 'expire', 'expired']),
)
verifies(
  'states.job.cancel',
  'a job is cancelled queued or running',
  holds('job', ['queued', 'cancel', 'cancelled'], ['running', 'cancel', 'cancelled']),
)

verifies(
  'states.session.slide',
  'a run or refresh keeps it active',
  holds('session', ['active', 'touch', 'active']),
)
verifies('states.session.expire', 'it expires', holds('session', ['active', 'expire', 'expired']))
verifies(
  'states.session.delete',
  'its owner ends it, expired or not',
  holds('session', ['active', 'delete', 'revoked'], ['expired', 'delete', 'revoked']),
)
verifies(
  'states.session.delete.again',
  'a second delete is harmless',
  holds('session', ['revoked', 'delete', 'revoked']),
)
verifies(
  'states.session.reap',
  'the reaper takes expired ones only',
  holds('session', ['expired', 'reap', 'revoked'], ['active', 'reap', null]),
)
verifies(
  'states.session.window_closed',
  'it goes with its window',
  holds('session', ['active', 'window_closed', 'revoked']),
)
verifies('states.session.purge', 'a revoked one is deleted, and no other', () => {
  expect(session.sources('purge')).toEqual(['revoked'])
  holds('session', ['revoked', 'purge', 'deleted'])()
})
verifies(
  'states.session.refresh_ended',
  'nothing brings an ended one back',
  holds('session', ['expired', 'touch', null], ['revoked', 'touch', null], ['deleted', 'touch', null]),
)

verifies(
  'states.run.cancel',
  'a run is cancelled queued or running',
  holds('run', ['queued', 'cancel', 'cancelled'], ['running', 'cancel', 'cancelled']),
)
verifies('states.run.end', 'a run ends once', () => {
  expect([...run.terminal].sort()).toEqual(['cancelled', 'failed', 'finished'])
  expect([...run.active].sort()).toEqual(['queued', 'running'])
})

verifies(
  'states.reservation.commit',
  'an id is committed once or expires',
  holds(
    'reservation',
    ['reserved', 'commit', 'committed'],
    ['reserved', 'expire', 'expired'],
    ['committed', 'commit', null],
    ['expired', 'commit', null],
  ),
)
verifies('states.visibility', 'any of the three leads to any of the three', () => {
  for (const from of visibility.states)
    expect(visibility.events.map((event) => visibility.next(from, event)).sort()).toEqual([
      'app_bundled',
      'private',
      'public',
    ])
})

verifies('states.window.close', 'close ends it for good', () => {
  for (const from of ['open', 'stale', 'crashed'] as const) expect(window.next(from, 'close')).toBe('closed')
  for (const event of window.events) expect(window.next('closed', event)).toBeNull()
})
verifies('states.window.crash', 'a fatal error marks it', () => {
  for (const from of ['open', 'stale', 'crashed'] as const) expect(window.next(from, 'crash')).toBe('crashed')
})
