/** Events for pages, and readers that do not read. */
export const events = {
  /** How long events are kept for readers who connect again. */
  JOURNAL_KEPT_MS: 300_000,
  /** What the events of one user may hold: past it the oldest go, however young, and late readers get a `reset`. */
  JOURNAL_KEPT_BYTES: 16_777_216,
  /** How often the events of all users are looked at, those that another host wrote or that lay there at the start too. */
  JOURNALS_LOOKED_MS: 86_400_000,
  /** An event stream that is asked for in short pieces ends after this. */
  EVENT_POLL_MS: 1_000,
  /** A silent event stream carries a comment this often. */
  EVENT_COMMENT_MS: 15_000,
  /** What a reader that does not read may cost. */
  READER_BUFFER_MAX_BYTES: 1_048_576,
  /** Answers that were made for the calls of one user and not read; above it no further call of theirs is carried out. */
  UNREAD_BYTES_PER_USER: 16_777_216,
  /** Calls of one user whose answers are read from the host's state at once. */
  READS_PER_USER: 16,
  /** What is read at once of a file that is sent: a reader that does not read holds two or three of them. */
  SERVED_PIECE_BYTES: 131_072,
  /** How long a reader that does not read is kept. */
  READER_STALLED_MS: 30_000,
  /** Items that are read from a journal at once. */
  EVENT_READ_MAX: 1_000,
  /** The first event goes out at once; where others follow at once, those of so many turns of the event loop go out together. */
  EVENT_GATHER_TURNS: 8,
  /** The first turn that ends so long after the event is the last of them: on a busy host a turn takes several ms. */
  EVENT_GATHER_MS: 4,
  /**
   * How long an acknowledgement waits until its event is in the journal, and the start of a job's process until its pages
   * were notified that it runs.
   */
  EVENT_LEAD_MS: 100,
} as const
