import { FRAME_HELLO_MS, FRAME_LAST_LOOK_MS } from '@svc/contract/browser'

/** What a page saw of a document that did not come. */
export interface Seen {
  readonly page: Document
  /** Its address. */
  readonly entry: string
  /** Its address, without the ticket. */
  readonly url: string
  /** When it was asked for, on the clock of the page's timings. */
  readonly sinceMs: number
  /** Something came whole, perhaps an error page of the browser. */
  came: boolean
  /** The policy of the page refused a frame of this address, or of its origin. */
  isRefused: boolean
  /** A document of the app began: what is missing is its hello. */
  hasBegun: boolean
  /** Aborts when nobody waits for it. */
  readonly over: AbortSignal
  /** Runs something in a time; not when nobody waits any more. */
  later(run: () => unknown, ms: number): void
  /** Gives the document up. */
  fail(...finding: Finding): void
}

/** Why a document did not come: the reason for programs, a sentence, and the line to change. */
export type Finding = readonly [
  reason: string,
  why: string,
  more?: { readonly hint: string; readonly url?: string },
]

const EMBEDDER = 'cross-origin-embedder-policy'
const SCRIPTS_MAX = 8
const SHOWN_CHARS = 200

const ask = (url: string, init?: RequestInit) =>
  fetch(url, { credentials: 'same-origin', cache: 'no-store', redirect: 'manual', ...init })

/** Whether what failed was refused by the page itself, which may connect to its own origin alone. */
async function isForbidden(page: Document, request: () => Promise<Response>): Promise<Response | boolean> {
  let isOwn = false
  const note = ({ disposition, effectiveDirective }: SecurityPolicyViolationEvent) => {
    isOwn ||= disposition === 'enforce' && effectiveDirective === 'connect-src'
  }
  page.addEventListener('securitypolicyviolation', note)
  try {
    return await request()
  } catch {
    // The event comes as a task of its own.
    await new Promise((done) => setTimeout(done))
    return isOwn
  } finally {
    page.removeEventListener('securitypolicyviolation', note)
  }
}

/** The origins of the pages around a frame of this page, as far as the browser says. */
const around = ({ defaultView }: Document): string[] =>
  defaultView ? [defaultView.origin, ...(defaultView.location.ancestorOrigins ?? [])] : []

/** Whether a source of `frame-ancestors` names an origin. */
function names(source: string, origin: string, own: string): boolean {
  if (source === "'self'") return origin === own
  if (/^\w+:$/.test(source))
    return origin.startsWith(source) || (source === 'http:' && origin.startsWith('https:'))
  const pattern = source.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  return new RegExp(`^(https?://)?${pattern}(:\\d+)?$`).test(origin)
}

/** What is wrong with the policies of the document, which the host sends as one. */
function policyOf({ page, url }: Seen, headers: Headers): Finding | undefined {
  const policies = headers.get('content-security-policy')?.split(/,\s*/) ?? []
  const added = policies.filter((one) => !one.includes('sandbox allow-scripts'))
  for (const policy of policies) {
    const sources = /frame-ancestors ([^;]*)/.exec(policy)?.[1]?.trim().split(/\s+/)
    const stranger =
      sources &&
      around(page).find((origin) => !sources.some((one) => names(one, origin, new URL(url).origin)))
    if (!stranger) continue
    const may = sources.join(' ')
    const hint = added.includes(policy)
      ? `Something before the host adds frame-ancestors ${may}: leave it out for the addresses of apps.`
      : `Only ${may} may frame apps: list ${stranger} in the origins of the host.`
    return ['framing', `may not be framed by ${stranger}`, { hint }]
  }
  const old = headers.get('x-frame-options')
  if (old && !policies.some((one) => one.includes('frame-ancestors')))
    return [
      'framing',
      `may not be framed: X-Frame-Options is ${old}`,
      { hint: 'Something before the host adds X-Frame-Options: leave it out for the addresses of apps.' },
    ]
  if (added.length === 0) return undefined
  const shown = added.join(', ').slice(0, SHOWN_CHARS)
  return [
    'policy',
    'has a policy that the host did not send',
    { hint: `Leave this header out for the addresses of apps: Content-Security-Policy: ${shown}` },
  ]
}

/** Whether the page embeds only what allows it, and the document does not. */
async function embedderOf({ page }: Seen, headers: Headers): Promise<Finding | undefined> {
  const { defaultView: view, URL: address } = page
  const own = view?.crossOriginIsolated
    ? 'require-corp'
    : await ask(address, { method: 'HEAD' }).then(
        (answer) => answer.headers.get(EMBEDDER),
        () => null,
      )
  const its = headers.get(EMBEDDER)
  if (!own || own === 'unsafe-none' || its === 'require-corp') return undefined
  // WebKit alone does not know it.
  if (its === 'credentialless' && !navigator.vendor.startsWith('Apple')) return undefined
  const hint = its
    ? 'Send Cross-Origin-Opener-Policy: same-origin with the page. This browser shows no app that loads images of other sites there.'
    : `Something before the host takes ${EMBEDDER} from the documents of apps: pass it on.`
  return ['coep', 'is not for a page with Cross-Origin-Embedder-Policy', { hint }]
}

/** A script of the document that does not come. */
async function scriptOf({ url }: Seen): Promise<Finding | undefined> {
  const html = await ask(url).then((answer) => answer.text())
  const folder = new URL('.', url.replace(/(\/bundles\/[^/]*\/).*/, '$1')).href
  const tags = [...html.replace(/<!--.*?-->/gs, '').matchAll(/<script([^<>]*)>/gi)].slice(0, SCRIPTS_MAX)
  for (const [, attributes = ''] of tags) {
    const [, source] = /\ssrc=["']?([^"'\s]+)/i.exec(attributes) ?? []
    if (source === undefined) continue
    const { href } = new URL(source, url)
    // The page asks for nothing that an app names elsewhere.
    if (!href.startsWith(folder)) continue
    const answer = await ask(href).catch(() => null)
    answer?.body?.cancel()
    const type = answer?.headers.get('content-type') ?? ''
    const kept = answer?.headers.get('cross-origin-resource-policy')
    if (kept && kept !== 'cross-origin') {
      const hint = 'Send Cross-Origin-Resource-Policy: cross-origin with the files of apps, as the host does.'
      return ['script', `has a script that is kept from it: ${kept}`, { hint, url: href }]
    }
    if (answer?.ok && /javascript/.test(type)) continue
    const came = answer ? `HTTP ${answer.status}, ${type.split(';')[0] || 'without a type'}` : 'nothing'
    return [
      'script',
      `has a script that does not come: ${came}`,
      { hint: `Push the app with the file ${source}, named relative to its page.`, url: href },
    ]
  }
  return undefined
}

const foreign = (url: string): Finding => [
  'foreign',
  'is another one, and not of the host',
  { hint: `Open ${url} in a tab: what answers there, such as a sign-in page, is not the host.` },
]

/** Why an address gives this page no answer: one that is not the host's does not let it be read. */
async function unseenOf(url: string): Promise<Finding> {
  const answers = (at: string) =>
    ask(at, { mode: 'no-cors', redirect: 'follow' }).then(
      () => true,
      () => false,
    )
  const { origin } = new URL(url)
  if (await answers(url)) return foreign(url)
  if (await answers(`${origin}/`))
    return [
      'filtered',
      'was stopped on its way',
      { hint: 'Something in the browser, such as an ad blocker, stops it: allow this site there.' },
    ]
  return ['unreachable', `cannot be reached at ${origin}`, { hint: `Is ${origin} the host, and up?` }]
}

/** Finds out why no app is in a frame, by asking for its document as a file; `undefined`: it is as it should be. */
export async function diagnose(seen: Seen): Promise<Finding | undefined> {
  const { page, url } = seen
  const { origin, protocol, hostname, pathname } = new URL(url)
  if (seen.isRefused) {
    const hint = `Content-Security-Policy: frame-src ${origin}${pathname.replace(/(\/bundles\/).*/, '$1')}`
    return ['csp', 'is not in the frame-src of the page', { hint: `Send with the page: ${hint}` }]
  }
  if (
    protocol === 'http:' &&
    page.location.protocol === 'https:' &&
    !/^(127\.|\[::1|localhost$|.*\.localhost$)/.test(hostname)
  )
    return [
      'mixed',
      'has an address of http in a page of https',
      {
        hint: `List ${page.location.origin} in the origins of the host, and let what is before it pass Host on.`,
      },
    ]
  if (seen.hasBegun) return scriptOf(seen)
  // What an isolated page asks for is another document.
  const asked = page.defaultView?.crossOriginIsolated ? `${url}?&isolated` : url
  const answer = await isForbidden(page, () => ask(asked))
  if (answer === true) return undefined
  if (!answer) return unseenOf(url)
  const { status, headers } = answer
  if (status >= 400) return ['http', `answered HTTP ${status}`, { hint: `See what answers at ${pathname}.` }]
  const policy = headers.get('content-security-policy') ?? ''
  const isHosts = headers.has('connection-allowlist') || policy.includes('sandbox allow-scripts')
  if (status !== 200 || !isHosts) return foreign(url)
  return policyOf(seen, headers) ?? (hasBody(seen) ? undefined : await embedderOf(seen, headers))
}

/** What the browser tells of the document: each window has the timings of its own frames. */
const timingsOf = ({ page, entry, sinceMs }: Seen) =>
  ((page.defaultView?.performance.getEntriesByName(entry) ?? []) as PerformanceResourceTiming[]).filter(
    // The same address may have been loaded before.
    ({ startTime }) => startTime >= sinceMs,
  )

/** Whether something with bytes came. */
const hasBody = (seen: Seen): boolean => timingsOf(seen).some(({ decodedBodySize }) => decodedBodySize > 0)

/** What is looked for before anything came: WebKit and Firefox say nothing of some documents that cannot be had. */
const UNCOME = /csp|coep|framing|mixed|filtered/
const UNREACHABLE = /unreachable/

/**
 * Looks for the reason now and once more, and gives the document up for one: any where something came, else few. What is
 * only slow is none.
 */
export async function search(seen: Seen): Promise<void> {
  const { came, later, over } = seen
  // The hello may have come while this part did.
  if (over.aborted) return
  async function find(reasons: RegExp, isLast = false): Promise<void> {
    const status = timingsOf(seen).find(({ responseStatus }) => responseStatus >= 400)?.responseStatus
    const found: Finding | undefined = status
      ? ['http', `answered HTTP ${status}`]
      : await diagnose(seen).catch(() => undefined)
    if (seen.over.aborted) return
    if (found && (status || reasons.test(found[0]))) seen.fail(...found)
    else if (isLast) seen.fail('blocked', 'is not in the frame, or was changed on its way')
  }
  later(
    () => find(came ? /./ : UNREACHABLE, came && !seen.hasBegun),
    FRAME_LAST_LOOK_MS - (came ? 1 : 2) * FRAME_HELLO_MS,
  )
  await find(came ? /./ : UNCOME)
}
