import type { DeskParts } from './parts.ts'

/** Two readings begin at least so far apart, however many events come. */
export const READ_GAP_MS = 400

/** Reads again and again what the host knows. */
export interface Pace {
  /** Reads now, or as soon as the reading under way is over. */
  read(): void
  /** Reads once the gap since the last reading is over: events may come in swarms. */
  soon(): void
  stop(): void
}

/**
 * Paces readings: one at a time, and what was asked for meanwhile as one more after it. `reading` must not throw; it
 * answers in how many ms the next one is due, or `null`: only when it is asked for.
 */
export function createPace(
  { now, later }: Pick<DeskParts, 'now' | 'later'>,
  reading: () => Promise<number | null>,
): Pace {
  let over = false
  let busy = false
  let again = false
  let beganAt = Number.NEGATIVE_INFINITY
  /** When the next one is due; later plans wait behind it. */
  let due = Number.POSITIVE_INFINITY

  async function read(): Promise<void> {
    again = busy
    if (busy || over) return
    busy = true
    due = Number.POSITIVE_INFINITY
    beganAt = now()
    const next = await reading()
    busy = false
    if (again) void read()
    else if (next !== null) plan(next)
  }

  function plan(ms: number): void {
    const at = now() + ms
    if (at >= due) return
    due = at
    later(() => {
      if (due !== at) return
      due = Number.POSITIVE_INFINITY
      void read()
    }, ms)
  }

  return {
    read: () => void read(),
    soon: () => plan(Math.max(0, beganAt + READ_GAP_MS - now())),
    stop() {
      over = true
    },
  }
}
