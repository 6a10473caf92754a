import { describe, expect, it } from 'vitest'
import { file, job, reservation, run, session, snapshot, visibility, window } from './index.ts'
import type { Machine } from './machine.ts'

/**
 * Every state and every event of each machine against the moves that are allowed,
 * written out by hand: `from event to`. A pair that is not listed must not move.
 */
interface Oracle {
  readonly states: readonly string[]
  readonly events: readonly string[]
  readonly moves: readonly `${string} ${string} ${string}`[]
  readonly terminal: readonly string[]
}

const oracles: Record<string, Oracle> = {
  job: {
    states: ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'],
    events: ['start', 'succeed', 'fail', 'expire', 'cancel', 'requeue'],
    moves: [
      'queued start running',
      'running succeed succeeded',
      'running fail failed',
      'queued expire expired',
      'running expire expired',
      'queued cancel cancelled',
      'running cancel cancelled',
      // the host that claimed it died before it started, or a runner refuses it
      'queued requeue queued',
      'queued fail failed',
    ],
    terminal: ['succeeded', 'failed', 'cancelled', 'expired'],
  },
  session: {
    states: ['active', 'expired', 'revoked', 'deleted'],
    events: ['touch', 'expire', 'delete', 'reap', 'window_closed', 'purge'],
    moves: [
      'active touch active',
      'active expire expired',
      'active delete revoked',
      'expired delete revoked',
      'revoked delete revoked',
      'expired reap revoked',
      'active window_closed revoked',
      'revoked purge deleted',
    ],
    terminal: ['deleted'],
  },
  run: {
    states: ['queued', 'running', 'finished', 'failed', 'cancelled'],
    events: ['start', 'finish', 'fail', 'cancel'],
    moves: [
      'queued start running',
      'queued cancel cancelled',
      'queued fail failed',
      'running finish finished',
      'running fail failed',
      'running cancel cancelled',
    ],
    terminal: ['finished', 'failed', 'cancelled'],
  },
  reservation: {
    states: ['reserved', 'committed', 'expired'],
    events: ['commit', 'expire'],
    moves: ['reserved commit committed', 'reserved expire expired'],
    terminal: ['committed', 'expired'],
  },
  visibility: {
    states: ['private', 'app_bundled', 'public'],
    events: ['hide', 'bundle', 'publish'],
    moves: [
      'private hide private',
      'private bundle app_bundled',
      'private publish public',
      'app_bundled hide private',
      'app_bundled bundle app_bundled',
      'app_bundled publish public',
      'public hide private',
      'public bundle app_bundled',
      'public publish public',
    ],
    terminal: [],
  },
  // a mark is put on, changed and taken back
  snapshot: {
    states: ['active', 'deprecated', 'yanked'],
    events: ['restore', 'deprecate', 'yank'],
    moves: [
      'active restore active',
      'active deprecate deprecated',
      'active yank yanked',
      'deprecated restore active',
      'deprecated deprecate deprecated',
      'deprecated yank yanked',
      'yanked restore active',
      'yanked deprecate deprecated',
      'yanked yank yanked',
    ],
    terminal: [],
  },
  window: {
    states: ['open', 'stale', 'crashed', 'closed'],
    events: ['silence', 'call', 'crash', 'hello', 'close'],
    moves: [
      'open silence stale',
      'open call open',
      'open crash crashed',
      'open hello open',
      'open close closed',
      'stale silence stale',
      'stale call open',
      'stale crash crashed',
      'stale hello open',
      'stale close closed',
      'crashed silence crashed',
      'crashed call crashed',
      'crashed crash crashed',
      'crashed hello open',
      'crashed close closed',
    ],
    terminal: ['closed'],
  },
  file: {
    states: ['waiting', 'arriving', 'stored', 'ready', 'gone'],
    events: ['claim', 'store', 'keep', 'confirm', 'drop'],
    moves: [
      'waiting claim arriving',
      'waiting drop gone',
      // the same bytes once more, after a try that was interrupted
      'arriving claim arriving',
      'arriving store stored',
      'arriving keep ready',
      'arriving drop gone',
      'stored confirm ready',
      'stored drop gone',
      // a second confirm changes nothing
      'ready confirm ready',
      'ready drop gone',
    ],
    terminal: ['gone'],
  },
}

const machines: Record<string, Machine<string, string>> = {
  file,
  job,
  session,
  run,
  reservation,
  snapshot,
  visibility,
  window,
}

describe.each(Object.entries(oracles))('%s', (name, oracle) => {
  const { states, events, next, sources, terminal, active } = machines[name] as Machine<string, string>

  it('has the states and events of the oracle', () => {
    expect([...states].sort()).toEqual([...oracle.states].sort())
    expect([...events].sort()).toEqual([...oracle.events].sort())
  })

  it.each(oracle.states.flatMap((state) => oracle.events.map((event) => [state, event] as const)))(
    '%s on %s',
    (state, event) => {
      const move = oracle.moves.find((line) => line.startsWith(`${state} ${event} `))
      expect(next(state, event)).toBe(move?.split(' ')[2] ?? null)
      expect(sources(event).includes(state)).toBe(move !== undefined)
    },
  )

  it('tells terminal states from active ones', () => {
    expect([...terminal].sort()).toEqual([...oracle.terminal].sort())
    expect([...active, ...terminal].sort()).toEqual([...oracle.states].sort())
  })
})
