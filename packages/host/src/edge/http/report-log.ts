import * as z from '@svc/contract/zod'
import { paths } from '../../kernel/request/paths.ts'
import { readBundleAddress } from '../../windows/bundle-url.ts'
import type { Services } from '../services.ts'

/** What one report of a browser says, without anything that an address could carry. */
interface BrowserReport {
  /** Such as `csp-violation`. */
  readonly kind: string
  /** The address of the document that it is about; it may hold a ticket, and is not to be logged. */
  readonly document: string
  /** The directive or feature of the policy, or what a browser calls the rest; `other` where it has no such name. */
  readonly directive: string
  /** The origin, the scheme or the keyword of what was blocked; `other` if it is something else. */
  readonly blocked: string
}

/** The kinds that are distinguished, also in the metrics. */
const kinds: ReadonlySet<string> = new Set([
  'csp-violation',
  'coop',
  'crash',
  'deprecation',
  'intervention',
  'permissions-policy-violation',
])
const WORD = /^[a-z][a-z-]{0,40}$/
/** Such as `img-src`, `geolocation` or `XMLHttpRequestSynchronousInNonWorkerOutsideBeforeUnload`. */
const NAME = /^[A-Za-z][A-Za-z-]{0,63}$/

const text = z.string().optional().catch(undefined)
const old = z.object({
  'csp-report': z.object({
    'document-uri': text,
    'effective-directive': text,
    'violated-directive': text,
    'blocked-uri': text,
  }),
})
const body = z.object({
  documentURL: text,
  effectiveDirective: text,
  blockedURL: text,
  policyId: text,
  id: text,
  reason: text,
})
const list = z.array(z.object({ type: z.string(), url: text, body: body.catch({}) }))

/** Reads a body of either type, of a list the first `max`; `null` where it is not a report. */
export function readReports(json: string, max: number): BrowserReport[] | null {
  const value = parse(json)
  const one = old.safeParse(value)
  if (one.success) {
    const said = one.data['csp-report']
    const [directive] = (said['effective-directive'] ?? said['violated-directive'] ?? '').split(' ')
    return [reportOf('csp-violation', said['document-uri'], directive, said['blocked-uri'])]
  }
  const many = list.safeParse(value)
  if (!many.success) return null
  return many.data.slice(0, max).map(({ type, url, body: said }) => {
    const name = said.effectiveDirective ?? said.policyId ?? said.id ?? said.reason
    return reportOf(type, said.documentURL ?? url, name, said.blockedURL)
  })
}

const reportOf = (kind: string, document = '', directive = '', blocked = ''): BrowserReport => ({
  kind: kinds.has(kind) ? kind : 'other',
  document,
  directive: NAME.test(directive) ? directive : 'other',
  blocked: blockedOf(blocked),
})

/** The longest origin that is logged: a name of 253 characters with its scheme and port. */
const ORIGIN_MAX_CHARS = 280

/** A path or a query may carry anything; the origin says enough. */
function blockedOf(address: string): string {
  if (address === '' || WORD.test(address)) return address
  if (!URL.canParse(address)) return 'other'
  const { origin, protocol } = new URL(address)
  const said = origin === 'null' ? protocol : origin
  return said.length > ORIGIN_MAX_CHARS ? 'other' : said
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

const MINUTE_MS = 60_000

const REFUSED = 'a browser reported a policy violation'
/** What the line of a kind says. */
const sentences: Readonly<Record<string, string>> = {
  'csp-violation': REFUSED,
  'permissions-policy-violation': REFUSED,
  coop: REFUSED,
  crash: 'a browser reported a page that crashed',
  deprecation: 'a browser reported a deprecated feature',
  intervention: 'a browser reported an intervention on a page',
}

/** Opens it. */
export function openReportLog({
  clock,
  limits,
  log,
  metrics,
  tickets,
  copies,
}: Pick<Services, 'clock' | 'limits' | 'log' | 'metrics' | 'tickets' | 'copies'>) {
  const max = limits.BROWSER_REPORTS_LOGGED_PER_MINUTE
  let minute = Number.NEGATIVE_INFINITY
  const counts = { windows: 0, others: 0 }
  /** How many each window sent, of those that were among the first. */
  const ofWindow = new Map<string, number>()

  /** The window that a document was made for, by the ticket in its address; `null` if it is not one of ours. */
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

  /** Whether the report of this count is logged; the first that is not logged is noted in the log. */
  function isLogged(count: number, most: number, whose: { readonly of: string; readonly window?: string }) {
    if (count === most + 1)
      log.warn({ max: most, ...whose }, 'browsers sent more reports than the log takes in a minute')
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
    /**
     * Counts a report, and logs it where this host has not logged `BROWSER_REPORTS_LOGGED_PER_MINUTE` of its kind in this
     * minute: those that name a window are counted apart, so that nobody without one pushes them out, and each window may
     * have `BROWSER_REPORTS_LOGGED_PER_WINDOW` of them, so that one does not push out the others.
     */
    async take({ kind, document, directive, blocked }: BrowserReport) {
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

/** Counts and logs what browsers report: anybody can send it, so little of it. */
export type ReportLog = ReturnType<typeof openReportLog>
