import type { HostLimits } from '@svc/contract'

/** The longest time that a timer of the machine takes. */
const NEVER_MS = 2 ** 31 - 1

/**
 * What is another than in production, where a test says nothing else: nothing waits for others to go along, what runs
 * every second runs every minute, and how busy the machine is refuses nobody.
 */
export const testLimits: Partial<HostLimits> = {
  ANSWERS_GATHER_MS: 0,
  EVENT_GATHER_TURNS: 0,
  REAPER_INTERVAL_MS: 60_000,
  HOST_BEAT_MS: 60_000,
  HOST_DEAD_MS: 180_000,
  LOAD_SAMPLE_MS: NEVER_MS,
}
