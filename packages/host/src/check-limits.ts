import { didYouMean, hostLimits, type Limits, limits as table } from '@svc/contract'
import { all, OptionError, type Rule, record, whole } from '@svc/node/options'

/** Two limits of which the first must not be above the second, and what would go wrong. */
type Relation = readonly [low: keyof Limits, high: keyof Limits, otherwise: string]

/**
 * Limits that would contradict each other. A cap that another one makes idle is not a contradiction and not listed:
 * that a user may have fewer sessions than an app, or a call fewer bytes than a value.
 */
export const limitRelations: readonly Relation[] = [
  ['WINDOW_SEEN_WRITE_MS', 'WINDOW_SILENT_CLOSE_MS', 'an open window would be closed as inactive'],
  ['WINDOW_STALE_MS', 'WINDOW_SILENT_CLOSE_MS', 'a window would be closed before it is stale'],
  ['HEARTBEAT_INTERVAL_MS', 'WINDOW_STALE_MS', 'an open window would be stale between two heartbeats'],
  ['SESSION_CLOSE_GRACE_MS', 'CLOSED_WINDOW_KEEP_MS', 'the sessions of a closed window would not be ended'],
  ['TOKEN_MAX_CHARS', 'CALL_SOCKET_HEAD_MAX_BYTES', 'a token would not fit the head of a call on a socket'],
  ['SYNC_TIMEOUT_MIN_MS', 'SYNC_TIMEOUT_MAX_MS', 'no timeout of a call would be allowed'],
  ['JOB_DEADLINE_MIN_MS', 'JOB_DEADLINE_MAX_MS', 'no deadline of a job would be allowed'],
  ['JOB_LOOKBACK_MS', 'JOB_KEPT_MS', 'a list of jobs would look back further than jobs are kept'],
  ['STREAM_RETAIN_MS', 'RUN_KEPT_MS', 'the frames of a run would outlive the run'],
  ['HOST_BEAT_MS', 'HOST_DEAD_MS', 'a running host would be treated as dead'],
  ['RUNNER_PING_MS', 'RUNNER_SILENT_MS', 'a connected runner would be treated as lost'],
  ['EVENT_COMMENT_MS', 'EVENT_SILENT_MS', 'pages would treat a quiet event stream as dead'],
  ['EVENT_RETRY_MS', 'EVENT_RETRY_MAX_MS', 'pages would connect again later than they may'],
  ['EVENT_RETRY_MAX_MS', 'JOURNAL_KEPT_MS', 'events would be gone before a page connects again'],
  ['HTTP_HEADERS_MS', 'HTTP_REQUEST_MS', 'the head of a request would have more time than the whole request'],
  ['DESCRIBE_RETRY_MS', 'DESCRIBE_RETRY_MAX_MS', 'the first backoff would be longer than the longest'],
  ['INSTALL_KNOWN_MS', 'INSTALL_KEPT_MS', 'an install in use would be removed as an idle one'],
  [
    'RPC_BODY_MAX_BYTES',
    'RUN_BODY_MAX_BYTES',
    'an app with an agent could send smaller bodies than one without',
  ],
]

/** Refuses limits that contradict each other, with a sentence that names both. */
export function checkRelations(limits: Limits): void {
  for (const [low, high, otherwise] of limitRelations)
    if (limits[low] > limits[high])
      throw new OptionError(
        `createHost: limits.${low} (${limits[low]}) must not be above limits.${high} (${limits[high]}): ${otherwise}`,
      )
}

const known: ReadonlySet<string> = new Set(hostLimits)
const count = whole(0)
const percent = whole(0, 100)

/**
 * What `createHost({ limits })` may be: no override that the host would not keep, and none that is not a number. Numbers
 * other than `hostLimits` are in the schemas of the contract, in the built code of clients or in parts that this host does
 * not have: a host that announced another number would not keep it.
 */
export const limitsRule: Rule = all(
  record(() => null),
  (limits, name) => {
    for (const [limit, value] of Object.entries(limits as object)) {
      if (!known.has(limit)) return `${name}.${limit} cannot be overridden; ${why(limit)}`
      const problem = (limit.endsWith('_PERCENT') ? percent : count)(value, `${name}.${limit}`)
      if (problem !== null) return problem
    }
    return null
  },
)

const why = (limit: string): string =>
  Object.hasOwn(table, limit)
    ? 'the contract fixes it, or this host does not read it'
    : `there is no such limit${didYouMean(limit, known)}`
