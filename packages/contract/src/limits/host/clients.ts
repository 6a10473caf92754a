/**
 * Numbers that built clients count on too: pages and documents go by the defaults that are here. One constant each, so
 * that a bundler keeps only those that it needs.
 */

/** Calls of one window that a host serves at once. */
export const IN_FLIGHT_PER_WINDOW = 64
/** Events that are kept for readers who connect again. */
export const JOURNAL_KEPT_EVENTS = 10_000
/** The pause before a page connects to the event stream again; it grows while that fails. */
export const EVENT_RETRY_MS = 1_000
/** The longest timeout that a call of a tool gets; more is lowered to it. */
export const SYNC_TIMEOUT_MAX_MS = 90_000
/** The longest time that a job gets; more is lowered to it. */
export const JOB_DEADLINE_MAX_MS = 86_400_000
/** A job that runs gives a sign of life this often. */
export const JOB_HEARTBEAT_MS = 5_000
/** A manifest as canonical JSON. */
export const MANIFEST_MAX_BYTES = 262_144
/** How long the frames of a stream stay after its `end`. */
export const STREAM_RETAIN_MS = 300_000
/** What a run may take in all; every single answer of a model is held to its own times besides. */
export const RUN_TOTAL_MS = 3_600_000
