import { TICKET_QUERY } from '../apps/bundle-url.ts'
import type { House } from '../house.ts'
import { paths } from './paths.ts'
import type { BrowserReport } from './read-reports.ts'

const MINUTE_MS = 60_000

const REFUSED = 'a browser reported what a policy refused'
/** What the line of a kind says. */
const sentences: Readonly<Record<string, string>> = {
  'csp-violation': REFUSED,
  'permissions-policy-violation': REFUSED,
  coop: REFUSED,
  crash: 'a browser reported a page that crashed',
  deprecation: 'a browser reported what will not work for long',
  intervention: 'a browser reported what it did not do for a page',
}

/** Counts and logs what browsers report: anybody can send it, so little of it. */
export interface ReportLog {
  /**
   * Counts a report, and logs it where this host has not logged `BROWSER_REPORTS_LOGGED_PER_MINUTE` of its kind in this
   * minute: those that name a window are counted apart, so that nobody without one pushes them out.
   */
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
  const counts = { windows: 0, others: 0 }

  /** The window that a document was made for, by the ticket in its address; `null` where it is none of ours. */
  function windowIn(document: string): string | null {
    if (!URL.canParse(document)) return null
    const { pathname, searchParams } = new URL(document)
    const [, rest = ''] = pathname.split(paths.bundles)
    const [digest = '', inPath] = (rest.split('/')[0] ?? '').split('~')
    return tickets.read(inPath ?? searchParams.get(TICKET_QUERY) ?? '', digest)
  }

  async function rowOf(uuid: string): Promise<object> {
    const window = await copies.windows.get(uuid)
    return window ? { window: window.id, app: window.row.app_id, user: window.row.user_id } : {}
  }

  return {
    async take({ kind, document, directive, blocked }) {
      metrics.reported(kind)
      const now = clock.now()
      if (now - minute >= MINUTE_MS) {
        minute = now
        counts.windows = 0
        counts.others = 0
      }
      const uuid = windowIn(document)
      const of = uuid === null ? 'others' : 'windows'
      counts[of]++
      if (counts[of] === max + 1) log.warn({ max, of }, 'browsers report more than is logged in a minute')
      if (counts[of] > max) return
      const about = uuid === null ? {} : await rowOf(uuid)
      log.warn({ ...about, kind, directive, blocked }, sentences[kind] ?? 'a browser reported a page')
    },
  }
}
