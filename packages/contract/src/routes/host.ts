import { limits } from '../limits/index.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { nothing } from './nothing.ts'
import { route } from './row.ts'

const user = text(limits.USER_MAX_CHARS)
  .min(1)
  .refine(
    (value) => /\S/u.test(value) && !/\p{C}/u.test(value),
    'must be visible text without control characters',
  )
const ok = z.object({ ok: z.boolean() })

/** The development sign-in, and what watches a host. */
export const host = {
  'signIn.dev': route('POST', '/api/v1/auth/dev-login', {
    auth: 'none',
    tag: 'sign-in',
    rate: 'sign_in',
    summary:
      'Signs in under any name and sets the cookie; only where the host has the development sign-in. It needs a listed Origin and the start token, as Bearer, by its cookie or by a proof of it.',
    body: () => z.object({ user }),
    answer: () => z.object({ user_id: z.string() }),
    example: { body: { user: 'ada' }, answer: { user_id: 'ada' } },
    errors: ['not_found'],
  }),
  'signIn.prove': route('POST', '/api/v1/auth/dev-login/proof', {
    auth: 'none',
    tag: 'sign-in',
    rate: 'sign_in',
    summary:
      'Proves to a program that this host has the start token of its user, so that the program need not send it to whoever listens; the development sign-in then takes a proof of the program.',
    body: () => z.object({ nonce: z.string().regex(/^[\w-]{22,128}$/) }),
    answer: () => z.object({ nonce: z.string(), proof: z.string() }),
    example: {
      body: { nonce: 'Nq8c1b0dTzQ4m2JxV7rKeA' },
      answer: {
        nonce: '1767225600000-yN7mCk2mVfq3wq5nJ7t1dQ',
        proof: 'mB1o2X9yqkTgXbq0l8zV4dZC1n7b9sYw2mB1o2X9yqk',
      },
    },
    errors: ['not_found'],
  }),
  'signIn.who': route('GET', '/api/v1/auth/whoami', {
    auth: 'none',
    tag: 'sign-in',
    summary: 'Who is signed in; null where nobody is.',
    answer: () => z.object({ user_id: z.string().nullable() }),
    errors: [],
  }),
  'signIn.out': route('POST', '/api/v1/auth/sign-out', {
    auth: 'cookie',
    tag: 'sign-in',
    rate: 'publish',
    summary:
      'Signs out: the cookie of the development sign-in goes, and its call sockets and event streams end. With `everywhere` every sign-in of the user before now is void, and his windows, agent sessions and streams end; jobs and machines go on.',
    body: () => z.object({ everywhere: z.boolean().default(false) }),
    answer: nothing,
    example: { body: { everywhere: true }, answer: {} },
    errors: [],
  }),
  'health.live': route('GET', '/healthz', {
    auth: 'none',
    tag: 'health',
    summary: 'The process responds.',
    answer: ok,
    example: { answer: { ok: true } },
    errors: [],
  }),
  'health.ready': route('GET', '/readyz', {
    auth: 'none',
    tag: 'health',
    summary:
      'The store responds, data can be written, the apps of the operator are loaded, and there is memory and time for more requests.',
    answer: () =>
      ok.extend({
        reasons: z
          .array(z.string())
          .optional()
          .describe('`memory`, `event_loop`, `store`, `storage`, `apps`, `closing`.'),
        storage: z.string().optional().describe('Why data cannot be written, with the reason `storage`.'),
      }),
    also: { 503: 'It is not so: ok is false, and `reasons` says why.' },
    errors: [],
  }),
  'health.reports': route('POST', '/api/v1/svc-apps/reports', {
    auth: 'none',
    tag: 'health',
    rate: 'browser',
    summary:
      'Takes what a browser reports of the page and of bundles: what a policy refused, and of the page also crashes, interventions and what is deprecated. Each report is counted, and logged in a line that names the window, the directive and the blocked origin.',
    bodyTypes: ['application/csp-report', 'application/reports+json'],
    status: 204,
    answer: null,
    errors: [],
  }),
  'health.metrics': route('GET', '/metrics', {
    auth: 'operator',
    tag: 'health',
    summary: "The host's metrics in the text of Prometheus.",
    answer: 'text/plain',
    errors: [],
  }),
}
