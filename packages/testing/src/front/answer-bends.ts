import type { BendRow, BendTable } from './bend.ts'

const API = /^\/api\//
const EVENTS = /\/runtime\/events/
const html = { 'content-type': 'text/html; charset=utf-8' }
const page = (title: string) => `<!doctype html><title>${title}</title><h1>${title}</h1>`
const answers = (does: string, status: number, seen: string, title = 'Sign in', headers = {}): BendRow => ({
  does,
  opens: seen,
  runs: seen,
  on: API,
  answer: { status, headers: { ...html, ...headers }, body: page(title) },
})

/** What does not reach the host, reaches it late, or is no answer of it. */
export const answerBends = {
  caches_events: {
    opens: 'no event; host_lost silent',
    runs: 'no event; host_lost silent',
    does: 'Answers each request for events with an empty answer from its cache.',
    on: EVENTS,
    answer: { status: 200, headers: { 'content-type': 'text/event-stream' }, body: '' },
  },
  refuses_events: {
    ...answers('Knows no event streams.', 404, 'no event; intercepted 404', 'Not found'),
    on: EVENTS,
    runs: 'works',
  },
  hangs_events: {
    opens: 'no event; host_lost unreachable',
    runs: 'works',
    does: 'Never answers a request for events.',
    on: EVENTS,
    answer: 'never',
  },
  limits_body: { opens: 'works', runs: 'works', does: 'Takes bodies of at most 16 KiB.', maxBytes: 16_384 },
  delays: { opens: 'works', runs: 'works', does: 'Passes each request on 300 ms later.', delayMs: 300 },
  sign_in_page_200: answers(
    'A sign-in page with status 200 in place of the API.',
    200,
    'host_unreachable; intercepted 200',
  ),
  sign_in_page_302: answers(
    'A redirect to a sign-in page in place of the API.',
    302,
    'host_unreachable; intercepted 0',
    undefined,
    {
      location: '/sign-in',
    },
  ),
  sign_in_page_401: answers(
    'A sign-in page with status 401 in place of the API.',
    401,
    'invalid_token; signed_out',
  ),
  sign_in_page_403: answers(
    'A sign-in page with status 403 in place of the API.',
    403,
    'host_unreachable; intercepted 403',
  ),
  captive_portal: answers(
    'A network that asks for a sign-in first.',
    511,
    'host_unreachable; host_lost unreachable',
  ),
  waf: {
    ...answers('A firewall that takes calls for an attack.', 403, 'host_unreachable', 'Blocked'),
    methods: /POST/,
  },
  cdn_error: answers(
    "A CDN's page: the host is away.",
    502,
    'host_unreachable; host_lost unreachable',
    'Bad gateway',
  ),
  cdn_timeout: answers(
    "A CDN's page: the host did not answer.",
    524,
    'host_unreachable; host_lost unreachable',
    'A timeout occurred',
  ),
  maintenance: answers(
    'A page for maintenance.',
    503,
    'host_unreachable; host_lost unreachable',
    'Back soon',
    { 'retry-after': '1' },
  ),
  rate_limits: answers('A limit of requests.', 429, 'rate_limited; intercepted 429', 'Too many requests', {
    'retry-after': '1',
  }),
  not_routed: answers(
    'A path that no rule of the proxy has.',
    404,
    'host_unreachable; intercepted 404',
    'Not found',
  ),
  large_headers: answers(
    'A proxy to which the cookies are too large.',
    431,
    'host_unreachable; intercepted 431',
    'Too large',
  ),
  only_reads: {
    ...answers('A proxy that knows `GET` alone.', 405, 'host_unreachable', 'Not allowed'),
    methods: /POST|PUT|DELETE/,
  },
  empty_answers: {
    opens: 'host_unreachable; intercepted 204',
    runs: 'host_unreachable; intercepted 204',
    does: 'Answers `204` and nothing else.',
    on: API,
    answer: { status: 204 },
  },
  app_page: answers(
    'A single-page app that answers whatever it does not know.',
    200,
    'host_unreachable; intercepted 200',
    'My site',
  ),
  hangs: {
    opens: 'host_unreachable; host_lost unreachable',
    runs: 'no answer yet; host_lost unreachable',
    does: 'Never answers.',
    on: API,
    answer: 'never',
    upgrade: 'never',
  },
  resets: {
    opens: 'host_unreachable; host_lost unreachable',
    runs: 'host_unreachable; host_lost unreachable',
    does: 'Resets each connection.',
    on: API,
    answer: 'reset',
  },
  fails_once: {
    does: 'A CDN that fails twice.',
    opens: 'host_unreachable; host_lost unreachable',
    on: API,
    times: 2,
    answer: { status: 502, headers: html, body: page('Bad gateway') },
  },
  no_sockets: { opens: 'works', runs: 'works', does: 'Refuses WebSockets.', upgrade: 400 },
  sockets_as_pages: { opens: 'works', runs: 'works', does: 'Answers WebSockets with a page.', upgrade: 200 },
  hangs_sockets: {
    opens: 'works',
    runs: 'works',
    does: 'Never answers a request for a WebSocket.',
    upgrade: 'never',
  },
  deaf_sockets: {
    opens: 'works',
    runs: 'works',
    does: 'Passes nothing more on a WebSocket 300 ms after it opened.',
    upgrade: 'deaf',
  },
  cuts_sockets: {
    opens: 'works',
    runs: 'works',
    does: 'Closes each WebSocket 300 ms after it opened.',
    upgrade: 'cut',
  },
} as const satisfies BendTable
