import type { Limits } from '@svc/contract'

/**
 * The limits that `createHost({ limits })` may override: those that the host and its runner read at run time.
 * The others stand in the schemas of the contract, in the built code of clients or in parts that this host does
 * not have: a host that announced another number would not keep it.
 */
export const hostLimits = [
  // Tokens and sign-ins
  'WINDOW_TOKEN_TTL_MS',
  'TOKEN_SKEW_MS',
  'VERIFIED_TOKENS_MAX',
  'TOKEN_MAX_CHARS',
  'SIGN_IN_TTL_MS',
  // Agent sessions
  'SESSION_TOKEN_TTL_MS',
  'AGENT_IDLE_TTL_MS',
  'AGENT_MAX_LIFETIME_MS',
  'COMPLETE_IDLE_TTL_MS',
  'COMPLETE_MAX_LIFETIME_MS',
  'EXPIRED_KEEP_MS',
  'REVOKED_RETENTION_MS',
  'SESSION_CLOSE_GRACE_MS',
  'SESSIONS_PER_APP',
  'SESSIONS_PER_USER',
  'SESSIONS_KEPT_PER_APP',
  'SESSIONS_KEPT_PER_USER',
  'SYSTEM_PROMPT_MAX_CHARS',
  'CONCURRENT_RUNS_DEFAULT',
  // Windows
  'WINDOW_STALE_MS',
  'WINDOW_SILENT_CLOSE_MS',
  'CLOSED_WINDOW_KEEP_MS',
  'WINDOW_SEEN_WRITE_MS',
  'WINDOWS_OPEN_MAX',
  'WINDOW_PAYLOAD_MAX_BYTES',
  'WINDOW_STATE_MAX_BYTES',
  'ERROR_CONTEXT_MAX_BYTES',
  'ARTIFACT_MAX_BYTES',
  // Requests
  'IN_FLIGHT_PER_WINDOW',
  'RPC_BODY_MAX_BYTES',
  'ROUTE_BODY_MAX_BYTES',
  'BODY_DEPTH_MAX',
  'SYNC_TIMEOUT_MIN_MS',
  'HTTP_HEADERS_MS',
  'HTTP_REQUEST_MS',
  'ANSWERS_GATHER_MS',
  'CALL_SOCKETS_PER_USER',
  'CALL_SOCKET_BODIES_MAX',
  'CALL_SOCKET_HEAD_MAX_BYTES',
  'CALL_SOCKET_BUSY_CALLS',
  'CALL_SOCKET_BUSY_MS',
  'CALL_SOCKET_GATHER_MS',
  'CALL_SOCKET_PING_MS',
  // Tools, the runner and its processes
  'SYNC_TIMEOUT_MAX_MS',
  'SYNC_TIMEOUT_DEFAULT_MS',
  'SYNC_GRACE_MS',
  'SYNC_PAYLOAD_MAX_BYTES',
  'CANCEL_KILL_MS',
  'DESCRIBE_TIMEOUT_MS',
  'DESCRIBE_RETRY_MS',
  'DESCRIBE_RETRY_MAX_MS',
  'DESCRIBE_TOOLS_MAX',
  'DESCRIBE_PARAMETERS_MAX',
  'DESCRIPTION_MAX_CHARS',
  'INPUT_SCHEMA_MAX_BYTES',
  'LINE_MAX_BYTES',
  'RESULT_DEPTH_MAX',
  'POOL_PER_PLUGIN',
  'POOL_PER_RUNNER',
  'POOL_IDLE_MS',
  'STDERR_LINE_MAX_BYTES',
  'STDERR_BURST_BYTES',
  'NOISE_BURST_LINES',
  'NOISE_REST_MS',
  'PLUGIN_LOG_PER_SECOND',
  'UNREAD_ANSWERS_MAX_BYTES',
  'DRAIN_MS',
  // Jobs and the hosts that hold them
  'ASYNC_RESULT_MAX_BYTES',
  'ASYNC_ARGS_MAX_BYTES',
  'JOB_DEADLINE_DEFAULT_MS',
  'JOB_DEADLINE_MIN_MS',
  'JOB_DEADLINE_MAX_MS',
  'JOBS_ACTIVE_PER_USER',
  'JOBS_RUNNING_PER_RUNNER',
  'RUNNER_QUEUE_MAX',
  'JOB_LISTED_PROGRESS',
  'JOB_LOOKBACK_MS',
  'JOB_HEARTBEAT_MS',
  'JOB_KEPT_MS',
  'JOBS_KEPT_PER_APP',
  'JOBS_KEPT_PER_USER',
  'JOB_LIST_RESULTS_MAX_BYTES',
  'PROGRESS_PER_SECOND',
  'PROGRESS_KEPT',
  'PROGRESS_MAX_BYTES',
  'PROGRESS_ENDED_MAX_BYTES',
  'HOST_BEAT_MS',
  'HOST_DEAD_MS',
  // Events
  'JOURNAL_KEPT_EVENTS',
  'JOURNAL_KEPT_MS',
  'JOURNAL_KEPT_BYTES',
  'EVENT_RETRY_MS',
  'EVENT_COMMENT_MS',
  'EVENT_READ_MAX',
  'EVENT_GATHER_TURNS',
  'READER_BUFFER_MAX_BYTES',
  'READER_STALLED_MS',
  // Storage, apps and bundles
  'STORAGE_VALUE_MAX_BYTES',
  'STORAGE_METADATA_MAX_BYTES',
  'MANIFEST_MAX_BYTES',
  'DRAFT_BODY_MAX_BYTES',
  'BUNDLE_KEEP_MS',
  'ARCHIVE_ENTRIES_MAX',
  'ARCHIVE_BYTES_MAX',
  'ARCHIVE_ENTRY_MAX_BYTES',
  'ARCHIVE_META_MAX_BYTES',
  'ARCHIVE_NAME_MAX_BYTES',
  'ARCHIVE_DEPTH_MAX',
  'ARCHIVE_RATIO_MAX',
  // Uploads and files
  'UPLOAD_INLINE_MAX_BYTES',
  'UPLOAD_URL_TTL_MS',
  'UPLOAD_CONFIRM_MS',
  'FILES_PER_APP',
  'FILES_PER_USER',
  'FILES_BYTES_PER_APP',
  'FILES_BYTES_PER_USER',
  // Runs
  'RUN_KEPT_MS',
  'RUN_KEEPALIVE_MS',
  'RUN_CHECK_EVENTS',
  'RUN_CHECK_MS',
  'RUN_TOTAL_MS',
  'RUN_FRAMES_MAX_BYTES',
  'RUN_DELTA_MAX_CHARS',
  'RUN_TOOL_CALLS_AT_ONCE',
  'SESSION_MESSAGES_MAX',
  'SESSION_CONTEXT_MAX_BYTES',
  'STREAM_RETAIN_MS',
  // Models
  'MAX_TOKENS_PER_CALL_DEFAULT',
  'QUOTA_KEPT_MS',
  'TOKEN_BYTES',
  'MODEL_IDLE_MS',
  'MODEL_TOTAL_MS',
  'MODEL_TEXT_MAX_BYTES',
  'MODEL_RESPONSE_MAX_BYTES',
  'MODEL_RETRIES',
  'MODEL_RETRY_MS',
  // Attachments of runs, and URLs that users give
  'ATTACHMENT_MAX_BYTES',
  'ATTACHMENT_SIDE_MAX_PX',
  'PUBLIC_URL_MAX_CHARS',
  'PUBLIC_FETCH_MS',
  'PUBLIC_FETCH_MAX_BYTES',
  'PUBLIC_HEADERS_MAX_BYTES',
  'PUBLIC_REDIRECTS_MAX',
  'SESSION_TOOL_RESULT_MAX_BYTES',
  'WEB_FETCH_MAX_BYTES',
  'WEB_FETCH_TEXT_MAX_CHARS',
  // The house itself
  'REAPER_INTERVAL_MS',
  'CLEAN_INTERVAL_MS',
  'CLEAN_RECORDS_MAX',
  'CACHE_STALE_MS',
  'SHUTDOWN_MS',
] as const satisfies readonly (keyof Limits)[]

/** What `createHost({ limits })` takes. */
export type HostLimits = Pick<Limits, (typeof hostLimits)[number]>

const known: ReadonlySet<string> = new Set(hostLimits)

/** Refuses an override that the host would not keep, and one that is no number, with a sentence that names it. */
export function checkLimits(limits: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(limits)) {
    if (!known.has(name))
      throw new Error(
        `createHost: limits.${name} cannot be overridden; the contract fixes it, or this host does not read it`,
      )
    if (typeof value !== 'number' || !(value >= 0 && value < Number.POSITIVE_INFINITY))
      throw new Error(`createHost: limits.${name} must be a number of at least 0, got ${String(value)}`)
  }
}
