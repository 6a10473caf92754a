/** Windows, and what a host keeps and logs of them. */
export const windows = {
  /** A window silent for this long is stale; its next call wakes it. */
  WINDOW_STALE_MS: 300_000,
  /** A window silent for this long is shown by no page: at a cap it makes room for another. */
  WINDOW_UNSEEN_MS: 120_000,
  /** A window silent for this long is closed. */
  WINDOW_SILENT_CLOSE_MS: 86_400_000,
  /** A closed window's record is deleted this long after the close. */
  CLOSED_WINDOW_KEEP_MS: 3_600_000,
  /** The time of a window's last call is written again when the stored time is older than this. */
  WINDOW_SEEN_WRITE_MS: 30_000,
  /** How long the times of last calls wait for those of other windows, to be written together. */
  WINDOW_SEEN_GATHER_MS: 100,
  /** Open windows of one user. */
  WINDOWS_OPEN_MAX: 256,
  /** Open windows of one app of a user. */
  WINDOWS_PER_APP: 128,
  /**
   * Closed windows of one user that are kept, beside as many as may be open: past both the oldest go, however young.
   */
  CLOSED_WINDOWS_PER_USER: 1_024,
  /** Characters of the message of a reported error that are logged. */
  ERROR_LOGGED_MAX_CHARS: 500,
  /** Reported errors of one window that are logged in a minute; the others are only counted. */
  ERRORS_LOGGED_PER_MINUTE: 30,
  /** The `context` of a reported error, as JSON. */
  ERROR_CONTEXT_MAX_BYTES: 16_384,
  /** The data of a page in a window's record: its payload and the client's description. */
  WINDOW_PAYLOAD_MAX_BYTES: 65_536,
  /** The stored values of a window, if storage is in its state. */
  WINDOW_STATE_MAX_BYTES: 262_144,
  /** A card in the chat as JSON. */
  ARTIFACT_MAX_BYTES: 65_536,
} as const
