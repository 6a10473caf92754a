import { verifies } from '@svc/conformance/verifies'
import { hostLimits, type Limits, limits } from '@svc/contract'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { checkRelations, limitRelations } from './check-limits.ts'
import { createHost } from './create-host.ts'

const logger = pino({ level: 'silent' })
/** Limits that are all the same contradict each other nowhere. */
const even = Object.fromEntries(Object.keys(limits).map((name) => [name, 7])) as Limits

it('the defaults contradict each other nowhere', () => {
  expect(() => checkRelations(limits)).not.toThrow()
})

/** Written by hand, so that none is lost or renamed unnoticed. */
const pairs = [
  ['WINDOW_SEEN_WRITE_MS', 'WINDOW_SILENT_CLOSE_MS'],
  ['WINDOW_STALE_MS', 'WINDOW_SILENT_CLOSE_MS'],
  ['HEARTBEAT_INTERVAL_MS', 'WINDOW_STALE_MS'],
  ['SESSION_CLOSE_GRACE_MS', 'CLOSED_WINDOW_KEEP_MS'],
  ['TOKEN_MAX_CHARS', 'CALL_SOCKET_HEAD_MAX_BYTES'],
  ['SYNC_TIMEOUT_MIN_MS', 'SYNC_TIMEOUT_MAX_MS'],
  ['JOB_DEADLINE_MIN_MS', 'JOB_DEADLINE_MAX_MS'],
  ['JOB_LOOKBACK_MS', 'JOB_KEPT_MS'],
  ['STREAM_RETAIN_MS', 'RUN_KEPT_MS'],
  ['HOST_BEAT_MS', 'HOST_DEAD_MS'],
  ['RUNNER_PING_MS', 'RUNNER_SILENT_MS'],
  ['EVENT_COMMENT_MS', 'EVENT_SILENT_MS'],
  ['EVENT_RETRY_MS', 'EVENT_RETRY_MAX_MS'],
  ['EVENT_RETRY_MAX_MS', 'JOURNAL_KEPT_MS'],
  ['HTTP_HEADERS_MS', 'HTTP_REQUEST_MS'],
  ['DESCRIBE_RETRY_MS', 'DESCRIBE_RETRY_MAX_MS'],
  ['INSTALL_KNOWN_MS', 'INSTALL_KEPT_MS'],
  ['RPC_BODY_MAX_BYTES', 'RUN_BODY_MAX_BYTES'],
]

it('relates these limits, and no others', () => {
  expect(limitRelations.map(([low, high]) => [low, high])).toEqual(pairs)
})

verifies.each('host.config.limits')(limitRelations)(
  '%s may be as much as %s, and no more',
  (low, high, why) => {
    expect(() => checkRelations(even)).not.toThrow()
    expect(() => checkRelations({ ...even, [low]: 8 })).toThrow(
      `createHost: limits.${low} (8) must not be above limits.${high} (7): ${why}`,
    )
  },
)

it.each(limitRelations)('of %s and %s an operator can change one', (low, high) => {
  const own: ReadonlySet<string> = new Set(hostLimits)
  expect(own.has(low) || own.has(high)).toBe(true)
})

verifies('host.config.limits', 'a host is refused where they do', () => {
  const contradiction = { WINDOW_SILENT_CLOSE_MS: 10_000 }
  expect(() => createHost({ runner: null, logger, limits: contradiction })).toThrow(
    'createHost: limits.WINDOW_SEEN_WRITE_MS (30000) must not be above limits.WINDOW_SILENT_CLOSE_MS (10000): an open window would be closed as inactive',
  )
})
