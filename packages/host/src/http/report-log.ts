import { TICKET_QUERY } from '../apps/bundle-url.ts'
import type { House } from '../house.ts'
import { paths } from './paths.ts'
import type { BrowserReport } from './read-reports.ts'

const MINUTE_MS = 60_000

/** Counts and logs what browsers report: anybody can send it, so little of it. */
export interface ReportLog {
  /** Counts a report, and logs it where this host has not had `BROWSER_REPORTS_LOGGED_PER_MINUTE` in this minute. */
  take(report: BrowserReport): Promise<void>
}

/** Opens it. */
export function openReportLog({
  clock,
  limits,
  log,
  metrics,
  tickets,
  copies,
}: Pick<House, 'clock' | 'limits' | 'log' | 'metrics' | 'tickets' | 'copies'>): ReportLog {
  const max = limits.BROWSER_REPORTS_LOGGED_PER_MINUTE
  let minute = Number.NEGATIVE_INFINITY
  let count = 0

  /** The window that a document was made for, by the ticket in its address. */
  async function windowOf(document: string): Promise<object> {
    const { pathname, searchParams } = new URL(document)
    const [, rest = ''] = pathname.split(paths.bundles)
    const [digest = '', inPath] = (rest.split('/')[0] ?? '').split('~')
    const uuid = tickets.read(inPath ?? searchParams.get(TICKET_QUERY) ?? '', digest)
    const window = uuid === null ? null : await copies.windows.get(uuid)
    return window ? { window: window.id, app: window.row.app_id, user: window.row.user_id } : {}
  }

  return {
    async take({ kind, document, directive, blocked }) {
      metrics.reported(kind)
      const now = clock.now()
      if (now - minute >= MINUTE_MS) {
        minute = now
        count = 0
      }
      count++
      if (count === max + 1) log.warn({ max }, 'browsers report more than is logged in a minute')
      if (count > max) return
      const about = URL.canParse(document) ? await windowOf(document) : {}
      log.warn({ ...about, kind, directive, blocked }, 'a browser reported what a policy refused')
    },
  }
}
