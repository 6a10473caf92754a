import { paths } from '../../kernel/request/paths.ts'
import { readBundleAddress } from '../../windows/bundle-url.ts'
import type { Services } from '../services.ts'
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
   * minute: those that name a window are counted apart, so that nobody without one pushes them out, and each window may
   * have `BROWSER_REPORTS_LOGGED_PER_WINDOW` of them, so that one does not push out the others.
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
}: Pick<Services, 'clock' | 'limits' | 'log' | 'metrics' | 'tickets' | 'copies'>): ReportLog {
  const max = limits.BROWSER_REPORTS_LOGGED_PER_MINUTE
  let minute = Number.NEGATIVE_INFINITY
  const counts = { windows: 0, others: 0 }
  /** How many each window sent, of those that were among the first. */
  const ofWindow = new Map<string, number>()

  /** The window that a document was made for, by the ticket in its address; `null` where it is none of ours. */
  function windowIn(document: string): string | null {
    if (!URL.canParse(document)) return null
    const { pathname, searchParams } = new URL(document)
    const [, rest = ''] = pathname.split(paths.bundles)
    const { digest, ticket } = readBundleAddress(rest, searchParams)
    return ticket === null ? null : tickets.read(ticket, digest)
  }

  async function rowOf(uuid: string): Promise<object> {
    const window = await copies.windows.get(uuid)
    return window ? { window: window.id, app: window.row.app_id, user: window.row.user_id } : {}
  }

  /** Whether the report of this count is logged; the first that is not is told of. */
  function isLogged(count: number, most: number, whose: { readonly of: string; readonly window?: string }) {
    if (count === most + 1)
      log.warn({ max: most, ...whose }, 'browsers report more than is logged in a minute')
    return count <= most
  }

  function isWindowLogged(window: string): boolean {
    const count = (ofWindow.get(window) ?? 0) + 1
    // Each that is kept here has a line of its own, so that there are no more than lines.
    if (count > 1 || counts.windows < max) ofWindow.set(window, count)
    if (!isLogged(count, limits.BROWSER_REPORTS_LOGGED_PER_WINDOW, { of: 'window', window })) return false
    counts.windows++
    return isLogged(counts.windows, max, { of: 'windows' })
  }

  function isOtherLogged(): boolean {
    counts.others++
    return isLogged(counts.others, max, { of: 'others' })
  }

  return {
    async take({ kind, document, directive, blocked }) {
      metrics.reported(kind)
      const now = clock.now()
      if (now - minute >= MINUTE_MS) {
        minute = now
        counts.windows = 0
        counts.others = 0
        ofWindow.clear()
      }
      const uuid = windowIn(document)
      if (!(uuid === null ? isOtherLogged() : isWindowLogged(uuid))) return
      const about = uuid === null ? {} : await rowOf(uuid)
      log.warn({ ...about, kind, directive, blocked }, sentences[kind] ?? 'a browser reported a page')
    },
  }
}
