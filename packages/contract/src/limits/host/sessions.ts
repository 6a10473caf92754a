/** Agent sessions. */
export const sessions = {
  /** An agent session without a run for this long expires. */
  AGENT_IDLE_TTL_MS: 1_800_000,
  /** An agent session expires after this, however busy it is. */
  AGENT_MAX_LIFETIME_MS: 86_400_000,
  /** The same for a session of the kind `complete`: without a run. */
  COMPLETE_IDLE_TTL_MS: 900_000,
  /** The same for a session of the kind `complete`: however busy. */
  COMPLETE_MAX_LIFETIME_MS: 3_600_000,
  /** An expired session stays readable this long before the reaper revokes it. */
  EXPIRED_KEEP_MS: 86_400_000,
  /** A revoked session stays listed this long before it is deleted with its messages. */
  REVOKED_RETENTION_MS: 86_400_000,
  /** From a window's close to the end of its sessions. */
  SESSION_CLOSE_GRACE_MS: 30_000,
  /** Active sessions of one app of a user. */
  SESSIONS_PER_APP: 256,
  /** Active sessions of all apps of a user. */
  SESSIONS_PER_USER: 1_024,
  /** Ended sessions that are kept of one app of a user: past it the oldest go, however young. */
  SESSIONS_KEPT_PER_APP: 256,
  /** The same over all apps of a user. */
  SESSIONS_KEPT_PER_USER: 1_024,
  /** The system prompt of a session. */
  SYSTEM_PROMPT_MAX_CHARS: 32_000,
} as const
