import type { HostLimits } from '@svc/host'

const SECOND_MS = 1_000

/**
 * How long things are kept, shortened to seconds, and how many of them, to tens: what is kept for a day would grow for a
 * day before it is level, and a soak looks at minutes. Everything else is as on any host.
 */
export const soakLimits = {
  AUDIT_KEPT: 500,
  AUDIT_KEPT_MS: 20 * SECOND_MS,
  CLEAN_INTERVAL_MS: 2 * SECOND_MS,
  CLOSED_WINDOW_KEEP_MS: 10 * SECOND_MS,
  SESSION_CLOSE_GRACE_MS: 2 * SECOND_MS,
  JOURNAL_KEPT_EVENTS: 100,
  JOURNAL_KEPT_MS: 10 * SECOND_MS,
  JOURNALS_LOOKED_MS: 10 * SECOND_MS,
  JOB_DEADLINE_MIN_MS: SECOND_MS,
  JOB_KEPT_MS: 10 * SECOND_MS,
  JOB_LOOKBACK_MS: 10 * SECOND_MS,
  AGENT_IDLE_TTL_MS: 15 * SECOND_MS,
  COMPLETE_IDLE_TTL_MS: 15 * SECOND_MS,
  EXPIRED_KEEP_MS: 5 * SECOND_MS,
  REVOKED_RETENTION_MS: 5 * SECOND_MS,
  RUN_KEPT_MS: 10 * SECOND_MS,
  STREAM_RETAIN_MS: 10 * SECOND_MS,
  POOL_IDLE_MS: 5 * SECOND_MS,
  UPLOAD_URL_TTL_MS: 5 * SECOND_MS,
  UPLOAD_CONFIRM_MS: 5 * SECOND_MS,
  BUNDLE_KEEP_MS: 5 * SECOND_MS,
  DRAFT_KEPT_MS: 10 * SECOND_MS,
  PLUG_REMOVED_KEPT_MS: 10 * SECOND_MS,
  VERIFIED_TOKENS_MAX: 200,
} as const satisfies Partial<HostLimits>
