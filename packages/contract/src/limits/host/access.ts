/** Tokens, sign-ins and the audit logs. */
export const access = {
  /** How long the token of a window lives; the page renews it at half of that. */
  WINDOW_TOKEN_TTL_MS: 120_000,
  /** How long the token of an agent session lives; a refresh gives a new one. */
  SESSION_TOKEN_TTL_MS: 600_000,
  /** How long a token lives that the backend of a page makes for its user, where it does not say. */
  PAGE_TOKEN_TTL_MS: 300_000,
  /** How long one may live at most; one that would live longer is refused. */
  PAGE_TOKEN_TTL_MAX_MS: 3_600_000,
  /** How far a token's clock may be off. */
  TOKEN_SKEW_MS: 2_000,
  /** Verified tokens that one process remembers. */
  VERIFIED_TOKENS_MAX: 10_000,
  /** The longest text that is parsed as a token. */
  TOKEN_MAX_CHARS: 4_096,
  /** How long the cookie of the development sign-in lives. */
  SIGN_IN_TTL_MS: 2_592_000_000,
  /** How often an erase looks for records of a user: above it, a call of the user must still be running. */
  ERASE_PASSES_MAX: 20,
  /** Entries that each audit log keeps; above it the oldest are deleted. */
  AUDIT_KEPT: 50_000,
  /** The total size of the entries of each log. */
  AUDIT_MAX_BYTES: 33_554_432,
  /** An entry is kept no longer than this. */
  AUDIT_KEPT_MS: 7_776_000_000,
  /** A text of an entry; the rest is cut off. */
  AUDIT_TEXT_MAX_CHARS: 200,
  /** Entries that wait to be written; past it new ones are lost, and the log of the host says how many. */
  AUDIT_WAITING_MAX: 10_000,
  /** Entries of the audit log that one filtered read scans. */
  AUDIT_LOOKED_AT_MAX: 2_000,
} as const
