import { z } from 'zod'
import { limits } from '../limits.ts'
import { text } from '../text.ts'
import { route } from './row.ts'

const user = text(limits.USER_MAX_CHARS)
  .min(1)
  .refine(
    (value) => /\S/u.test(value) && !/\p{C}/u.test(value),
    'must be visible text without control characters',
  )
const ok = z.object({ ok: z.boolean() })

/** The development sign-in, and what watches a host (design §9). */
export const house = {
  'signIn.dev': route('POST', '/api/v1/auth/dev-login', {
    auth: 'none',
    tag: 'sign-in',
    summary:
      'Signs anybody in by name and sets the cookie; only where the host has the development sign-in. It needs a listed Origin.',
    body: z.object({ user }),
    answer: z.object({ user_id: z.string() }),
    errors: [],
  }),
  'health.live': route('GET', '/healthz', {
    auth: 'none',
    tag: 'health',
    summary: 'The process answers.',
    answer: ok,
    errors: [],
  }),
  'health.ready': route('GET', '/readyz', {
    auth: 'none',
    tag: 'health',
    summary: 'The store answers and the apps of the operator are read.',
    answer: ok,
    also: { 503: 'They are not: ok is false.' },
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
