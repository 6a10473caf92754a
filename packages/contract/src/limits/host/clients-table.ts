import type * as all from './clients.ts'
import {
  EVENT_RETRY_MS,
  IN_FLIGHT_PER_WINDOW,
  JOB_DEADLINE_MAX_MS,
  JOB_HEARTBEAT_MS,
  JOURNAL_KEPT_EVENTS,
  MANIFEST_MAX_BYTES,
  RUN_TOTAL_MS,
  STREAM_RETAIN_MS,
  SYNC_TIMEOUT_MAX_MS,
} from './clients.ts'

/** The numbers of `clients.ts` as one object, each by its name; `browser-table.ts` says why. */
export const clients: typeof all = {
  EVENT_RETRY_MS,
  IN_FLIGHT_PER_WINDOW,
  JOB_DEADLINE_MAX_MS,
  JOB_HEARTBEAT_MS,
  JOURNAL_KEPT_EVENTS,
  MANIFEST_MAX_BYTES,
  RUN_TOTAL_MS,
  STREAM_RETAIN_MS,
  SYNC_TIMEOUT_MAX_MS,
}
