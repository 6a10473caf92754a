import type { BendRow, BendTable } from './bend.ts'

const CSP = 'content-security-policy'
const policy = (does: string, value: string, opens: string, replaces = false): BendRow => ({
  does,
  opens,
  response: (headers) => {
    const before = replaces ? undefined : headers[CSP]
    headers[CSP] = before === undefined ? value : `${before}, ${value}`
  },
})
const adds = (does: string, name: string, value: string): BendRow => ({
  does,
  opens: 'works',
  response: (headers) => {
    headers[name] = value
  },
})
const drops = (does: string, ...names: string[]): BendRow => ({
  does,
  opens: 'works',
  response: (headers) => {
    for (const name of names) delete headers[name]
  },
})
const forgets = (does: string, ...names: string[]): BendRow => ({
  does,
  opens: 'works',
  request: (headers) => {
    for (const name of names) delete headers[name]
  },
})

/** What changes nothing but headers. */
export const headerBends = {
  adds_csp: policy("A site-wide policy beside the host's.", "default-src 'self'", 'load_failed'),
  replaces_csp: policy(
    "A site-wide policy in place of the host's.",
    "default-src 'self'",
    'load_failed',
    true,
  ),
  loosens_csp: policy(
    "A loose policy in place of the host's.",
    "default-src * 'unsafe-inline' data:",
    'works',
    true,
  ),
  drops_csp: drops('Takes all policies out of answers.', CSP, 'connection-allowlist', 'permissions-policy'),
  denies_frames: adds('`X-Frame-Options: DENY` on all answers.', 'x-frame-options', 'DENY'),
  sameorigin_frames: adds('`X-Frame-Options: SAMEORIGIN`.', 'x-frame-options', 'SAMEORIGIN'),
  adds_corp: {
    ...adds('`Cross-Origin-Resource-Policy: same-origin`.', 'cross-origin-resource-policy', 'same-origin'),
    opens: 'load_failed',
  },
  adds_coop: adds('`Cross-Origin-Opener-Policy: same-origin`.', 'cross-origin-opener-policy', 'same-origin'),
  adds_hsts: adds('`Strict-Transport-Security`.', 'strict-transport-security', 'max-age=31536000'),
  adds_no_sniff: adds('`X-Content-Type-Options: nosniff`.', 'x-content-type-options', 'nosniff'),
  adds_referrer_policy: adds('`Referrer-Policy: unsafe-url`.', 'referrer-policy', 'unsafe-url'),
  adds_permissions_policy: adds('A site-wide `Permissions-Policy`.', 'permissions-policy', 'camera=()'),
  drops_cors: drops('Takes CORS out of answers.', 'access-control-allow-origin', 'timing-allow-origin'),
  drops_vary: drops('Takes `Vary` out of answers.', 'vary'),
  drops_host: {
    opens: 'permission_denied; signed_out',
    runs: 'permission_denied; signed_out',
    does: 'Gives the host its inner address as `Host`, as nginx and Vite do where they are not told otherwise.',
    request: (headers, host) => {
      headers.host = host
    },
  },
  drops_port: {
    opens: 'permission_denied; signed_out',
    runs: 'permission_denied; signed_out',
    does: 'Gives the host its address without the port.',
    request: (headers) => {
      headers.host = headers.host?.replace(/:\d+$/, '')
    },
  },
  drops_origin: {
    ...forgets('Takes `Origin` out of requests.', 'origin'),
    opens: 'permission_denied',
    runs: 'permission_denied',
  },
  drops_referrer: forgets('Takes `Referer` out of requests.', 'referer'),
  drops_fetch_metadata: forgets(
    'Takes `Sec-Fetch-*` out of requests.',
    'sec-fetch-mode',
    'sec-fetch-site',
    'sec-fetch-dest',
  ),
  drops_last_event_id: forgets('Takes `Last-Event-ID` out of requests.', 'last-event-id'),
  drops_accept: forgets('Takes `Accept` out of requests.', 'accept'),
  drops_cookies: {
    ...forgets('Takes cookies out of requests.', 'cookie'),
    opens: 'invalid_token; signed_out',
    runs: 'invalid_token; signed_out',
  },
  adds_forwarded: {
    opens: 'works',
    does: 'Adds `X-Forwarded-*`.',
    request: (headers) => {
      headers['x-forwarded-for'] = '203.0.113.7'
      headers['x-forwarded-proto'] = 'https'
      headers['x-forwarded-host'] = 'site.example'
    },
  },
  closes_connections: adds('A connection for each request.', 'connection', 'close'),
  types_events_as_text: {
    opens: 'no event; intercepted 200',
    runs: 'works',
    does: 'Names event streams `text/plain`.',
    on: /\/runtime\/events/,
    response: (headers) => {
      headers['content-type'] = 'text/plain'
    },
  },
} as const satisfies BendTable
