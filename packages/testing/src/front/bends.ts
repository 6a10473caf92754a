import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { Transform } from 'node:stream'
import { createGzip } from 'node:zlib'
import { broken, held, inPieces, replaced } from './bodies.ts'

/** An answer that is given in place of the host's. */
export interface FrontAnswer {
  readonly status: number
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string
}

/** One thing that a front does to what passes through it; what it leaves out stays as it is. */
export interface Bend {
  /** What plays this in real life, in words. */
  readonly does: string
  /** The paths that it does it to, with their query. Default: all. */
  readonly on?: RegExp
  /** The methods that it does it to, such as `/POST/`. Default: all. */
  readonly methods?: RegExp
  /** Changes the headers of a request; `host` is the host and port of the target. */
  readonly request?: (headers: IncomingHttpHeaders, host: string) => void
  /** Answers in place of the host; `never` and `reset` are no answers. */
  readonly answer?: FrontAnswer | 'never' | 'reset'
  /** How many requests it answers before it passes on the others. Default: all. */
  readonly times?: number
  /** The largest body that is passed on, in bytes; beyond it is `413`. */
  readonly maxBytes?: number
  /** How much later a request is passed on, in ms. */
  readonly delayMs?: number
  /** Changes the headers of an answer. */
  readonly response?: (headers: OutgoingHttpHeaders) => void
  /** What the body of an answer goes through; `null`: it stays as it is. */
  readonly body?: (headers: OutgoingHttpHeaders) => Transform | null
  /** What becomes of a request for a WebSocket: `pass`, refused with a status, `never` answered, `deaf` soon after it opened, or `cut` then. */
  readonly upgrade?: number | 'never' | 'deaf' | 'cut'
}

const API = /^\/api\//
const BUNDLES = /\/bundles\//
const EVENTS = /\/runtime\/events/
const html = { 'content-type': 'text/html; charset=utf-8' }
const page = (title: string) => `<!doctype html><title>${title}</title><h1>${title}</h1>`
const answers = (does: string, status: number, headers = {}, title = 'Sign in'): Bend => ({
  does,
  on: API,
  answer: { status, headers: { ...html, ...headers }, body: page(title) },
})
const isEvents = (headers: OutgoingHttpHeaders) =>
  String(headers['content-type']).startsWith('text/event-stream')
const isHtml = (headers: OutgoingHttpHeaders) => String(headers['content-type']).startsWith('text/html')
const CSP = 'content-security-policy'
const policy = (does: string, value: string, replaces = false): Bend => ({
  does,
  response: (headers) => {
    const before = replaces ? undefined : headers[CSP]
    headers[CSP] = before === undefined ? value : `${before}, ${value}`
  },
})
const adds = (does: string, name: string, value: string): Bend => ({
  does,
  response: (headers) => {
    headers[name] = value
  },
})
const drops = (does: string, ...names: string[]): Bend => ({
  does,
  response: (headers) => {
    for (const name of names) delete headers[name]
  },
})
const forgets = (does: string, ...names: string[]): Bend => ({
  does,
  request: (headers) => {
    for (const name of names) delete headers[name]
  },
})
/** Gzip that gives nothing out before it has enough, but at the end. */
const gzip = (headers: OutgoingHttpHeaders) => {
  headers['content-encoding'] = 'gzip'
  delete headers['content-length']
  return createGzip()
}

/** Every bend of a front, by its name: `createBendingFront({ target, bends: ['holds_events'] })`. */
export const bendTable = {
  adds_csp: policy("A site-wide policy beside the host's.", "default-src 'self'"),
  replaces_csp: policy("A site-wide policy in place of the host's.", "default-src 'self'", true),
  loosens_csp: policy("A loose policy in place of the host's.", "default-src * 'unsafe-inline' data:", true),
  drops_csp: drops('Takes all policies out of answers.', CSP, 'connection-allowlist', 'permissions-policy'),
  denies_frames: adds('`X-Frame-Options: DENY` on all answers.', 'x-frame-options', 'DENY'),
  sameorigin_frames: adds('`X-Frame-Options: SAMEORIGIN`.', 'x-frame-options', 'SAMEORIGIN'),
  adds_corp: adds(
    '`Cross-Origin-Resource-Policy: same-origin`.',
    'cross-origin-resource-policy',
    'same-origin',
  ),
  adds_coop: adds('`Cross-Origin-Opener-Policy: same-origin`.', 'cross-origin-opener-policy', 'same-origin'),
  adds_hsts: adds('`Strict-Transport-Security`.', 'strict-transport-security', 'max-age=31536000'),
  adds_no_sniff: adds('`X-Content-Type-Options: nosniff`.', 'x-content-type-options', 'nosniff'),
  adds_referrer_policy: adds('`Referrer-Policy: unsafe-url`.', 'referrer-policy', 'unsafe-url'),
  adds_permissions_policy: adds('A site-wide `Permissions-Policy`.', 'permissions-policy', 'camera=()'),
  drops_cors: drops('Takes CORS out of answers.', 'access-control-allow-origin', 'timing-allow-origin'),
  drops_vary: drops('Takes `Vary` out of answers.', 'vary'),
  drops_host: {
    does: 'Gives the host its inner address as `Host`, as nginx and Vite do where they are not told otherwise.',
    request: (headers, host) => {
      headers.host = host
    },
  },
  drops_port: {
    does: 'Gives the host its address without the port.',
    request: (headers) => {
      headers.host = headers.host?.replace(/:\d+$/, '')
    },
  },
  drops_origin: forgets('Takes `Origin` out of requests.', 'origin'),
  drops_referrer: forgets('Takes `Referer` out of requests.', 'referer'),
  drops_fetch_metadata: forgets(
    'Takes `Sec-Fetch-*` out of requests.',
    'sec-fetch-mode',
    'sec-fetch-site',
    'sec-fetch-dest',
  ),
  drops_last_event_id: forgets('Takes `Last-Event-ID` out of requests.', 'last-event-id'),
  drops_accept: forgets('Takes `Accept` out of requests.', 'accept'),
  drops_cookies: forgets('Takes cookies out of requests.', 'cookie'),
  adds_forwarded: {
    does: 'Adds `X-Forwarded-*`.',
    request: (headers) => {
      headers['x-forwarded-for'] = '203.0.113.7'
      headers['x-forwarded-proto'] = 'https'
      headers['x-forwarded-host'] = 'site.example'
    },
  },
  closes_connections: adds('A connection for each request.', 'connection', 'close'),
  compresses: {
    does: 'Compresses what does not forbid it, as `compression` of Express.',
    response: (headers) => {
      headers.vary = 'accept-encoding'
    },
    body: (headers) =>
      /no-transform/.test(String(headers['cache-control'])) || headers['content-encoding']
        ? null
        : gzip(headers),
  },
  compresses_all: {
    does: 'Compresses everything, event streams too.',
    body: (headers) => (headers['content-encoding'] ? null : gzip(headers)),
  },
  holds_events: {
    does: 'Holds each event stream back to its end.',
    body: (headers) => (isEvents(headers) ? held() : null),
  },
  buffers_events: {
    does: 'Passes event streams on in pieces of 8 KiB, as proxies with a buffer do.',
    body: (headers) => (isEvents(headers) ? held(8_192) : null),
  },
  cuts_events: {
    does: 'Ends each event stream after 700 ms, as gateways with a short time limit do.',
    body: (headers) => (isEvents(headers) ? broken(700) : null),
  },
  tiny_pieces: {
    does: 'Passes answers on in pieces of 7 bytes.',
    body: (headers) => (isHtml(headers) || isEvents(headers) ? inPieces(7) : null),
  },
  types_events_as_text: {
    does: 'Names event streams `text/plain`.',
    on: EVENTS,
    response: (headers) => {
      headers['content-type'] = 'text/plain'
    },
  },
  caches_events: {
    does: 'Answers each request for events with an empty answer from its cache.',
    on: EVENTS,
    answer: { status: 200, headers: { 'content-type': 'text/event-stream' }, body: '' },
  },
  refuses_events: { ...answers('Knows no event streams.', 404, {}, 'Not found'), on: EVENTS },
  hangs_events: { does: 'Never answers a request for events.', on: EVENTS, answer: 'never' },
  injects_script: {
    does: 'Puts a script of its own into each head, as analytics of a CDN do.',
    body: (headers) =>
      isHtml(headers) ? replaced(/<head>|<title>/, '<script>globalThis.injected = 1</script>$&') : null,
  },
  injects_meta: {
    does: 'Puts a policy as `<meta>` before all else of a document.',
    on: BUNDLES,
    body: (headers) =>
      isHtml(headers)
        ? replaced(/^/, `<meta http-equiv="content-security-policy" content="script-src 'self'">`)
        : null,
  },
  limits_body: { does: 'Takes bodies of at most 16 KiB.', maxBytes: 16_384 },
  delays: { does: 'Passes each request on 300 ms later.', delayMs: 300 },
  sign_in_page_200: answers('A sign-in page with status 200 in place of the API.', 200),
  sign_in_page_302: answers('A redirect to a sign-in page in place of the API.', 302, {
    location: '/sign-in',
  }),
  sign_in_page_401: answers('A sign-in page with status 401 in place of the API.', 401),
  sign_in_page_403: answers('A sign-in page with status 403 in place of the API.', 403),
  captive_portal: answers('A network that asks for a sign-in first.', 511),
  waf: { ...answers('A firewall that takes calls for an attack.', 403, {}, 'Blocked'), methods: /POST/ },
  cdn_error: answers("A CDN's page: the host is away.", 502, {}, 'Bad gateway'),
  cdn_timeout: answers("A CDN's page: the host did not answer.", 524, {}, 'A timeout occurred'),
  maintenance: answers('A page for maintenance.', 503, { 'retry-after': '1' }, 'Back soon'),
  rate_limits: answers('A limit of requests.', 429, { 'retry-after': '1' }, 'Too many requests'),
  not_routed: answers('A path that no rule of the proxy has.', 404, {}, 'Not found'),
  large_headers: answers('A proxy to which the cookies are too large.', 431, {}, 'Too large'),
  only_reads: {
    ...answers('A proxy that knows `GET` alone.', 405, {}, 'Not allowed'),
    methods: /POST|PUT|DELETE/,
  },
  empty_answers: { does: 'Answers `204` and nothing else.', on: API, answer: { status: 204 } },
  app_page: answers('A single-page app that answers whatever it does not know.', 200, {}, 'My site'),
  hangs: { does: 'Never answers.', on: API, answer: 'never' },
  resets: { does: 'Resets each connection.', on: API, answer: 'reset' },
  fails_once: { ...answers('A CDN that fails twice.', 502, {}, 'Bad gateway'), times: 2 },
  no_sockets: { does: 'Refuses WebSockets.', upgrade: 400 },
  sockets_as_pages: { does: 'Answers WebSockets with a page.', upgrade: 200 },
  hangs_sockets: { does: 'Never answers a request for a WebSocket.', upgrade: 'never' },
  deaf_sockets: { does: 'Passes nothing more on a WebSocket 300 ms after it opened.', upgrade: 'deaf' },
  cuts_sockets: { does: 'Closes each WebSocket 300 ms after it opened.', upgrade: 'cut' },
} as const satisfies Readonly<Record<string, Bend>>

/** The name of a bend. */
export type BendName = keyof typeof bendTable
