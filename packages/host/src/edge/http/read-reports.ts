import { z } from 'zod'

/** What one report of a browser says, without anything that an address could carry. */
export interface BrowserReport {
  /** Such as `csp-violation`. */
  readonly kind: string
  /** The address of the document that it is about; it may hold a ticket, and is not to be logged. */
  readonly document: string
  /** The directive or feature of the policy, or what a browser calls the rest; `other` where it has no such name. */
  readonly directive: string
  /** The origin, the scheme or the keyword of what was blocked; `other` where it is none of these. */
  readonly blocked: string
}

/** The kinds that are told apart, also in the metrics. */
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

/** Reads a body of either type, of a list the first `max`; `null` where it is no report. */
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
