import type { WindowRecord } from '../catalog/window-row.ts'
import type { MachineServices } from '../machines/services.ts'

const MINUTE_MS = 60_000

/** Opens the log of errors. It keeps numbers of the windows that reported something in the last minute. */
export function openErrorLog({ clock, limits, log }: Pick<MachineServices, 'clock' | 'limits' | 'log'>) {
  let minute = Number.NEGATIVE_INFINITY
  let reports = new Map<string, number>()
  const max = limits.ERRORS_LOGGED_PER_MINUTE

  return {
    /** Logs one, or counts it where its window has had `ERRORS_LOGGED_PER_MINUTE` in this minute. */
    report({ id, row: { app_id: app, user_id: user } }: WindowRecord, message: string, fatal: boolean) {
      const now = clock.now()
      if (now - minute >= MINUTE_MS) {
        minute = now
        reports = new Map()
      }
      const count = (reports.get(id) ?? 0) + 1
      reports.set(id, count)
      const about = { window: id, app, user }
      if (count === max + 1)
        log.warn({ ...about, max }, 'a bundle reported more errors than the log takes in a minute')
      if (count > max) return
      const said = message.slice(0, limits.ERROR_LOGGED_MAX_CHARS)
      log.warn({ ...about, status: fatal ? 'crashed' : 'open', message: said }, 'a bundle reported an error')
    },
  }
}

/** Logs the errors that bundles report: strangers' text, so little of it. */
export type ErrorLog = ReturnType<typeof openErrorLog>
