import { limits } from '../limits/index.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { nothing } from './nothing.ts'
import { route } from './row.ts'

const runner = z.object({
  runner_id: z.string(),
  name: z.string(),
  state: z.enum(['online', 'offline']),
  /** What it told of itself when it last connected; null before that. */
  machine: z
    .object({
      platform: z.string(),
      node: z.string(),
      installs: z.array(z.string()),
      /** Whether plugins run behind walls there, and what is missing; left out by a machine that did not say. */
      isolation: z.object({ walls: z.boolean(), problem: z.string().nullable() }).optional(),
    })
    .nullable(),
  slots: z.object({ jobs: z.int(), jobs_running: z.int(), calls_busy: z.int() }),
  created_at: z.string(),
  last_seen_at: z.string().nullable(),
})

/** The machines that a user enrols, and their links. */
export const runners = {
  'runners.enrol': route('POST', '/api/v1/svc-apps/runners', {
    auth: 'cookie',
    tag: 'runners',
    rate: 'publish',
    summary: 'Enrols a machine of the user. The reply holds its token, which is shown this once.',
    body: () =>
      z.object({
        name: text(limits.RUNNER_NAME_MAX_CHARS, z.string().trim()).refine(
          (name) => /[^\s\p{C}]/u.test(name),
          'must have a visible character',
        ),
      }),
    answer: () => z.object({ runner_id: z.string(), token: z.string() }),
    example: { body: { name: 'My laptop' }, answer: { runner_id: 'run_2c9d', token: 'svcr_8Jk…' } },
    errors: ['quota_exceeded'],
  }),
  'runners.list': route('GET', '/api/v1/svc-apps/runners', {
    auth: 'cookie',
    tag: 'runners',
    summary: 'Lists the machines of the user, the oldest first.',
    answer: () => z.object({ runners: z.array(runner) }),
    errors: [],
  }),
  'runners.revoke': route('DELETE', '/api/v1/svc-apps/runners/{runner_id}', {
    auth: 'cookie',
    tag: 'runners',
    rate: 'publish',
    summary: 'Takes a machine away: its link ends at once, and its token opens nothing any more.',
    params: { runner_id: 'A machine of the user.' },
    answer: nothing,
    errors: ['not_found'],
  }),
  'runners.connect': route('GET', '/api/v1/svc-apps/runners/connect', {
    auth: 'runner',
    tag: 'runners',
    summary: 'Upgrades to the link of a machine. It needs neither cookie nor Origin.',
    status: 101,
    answer: null,
    errors: ['agent_unavailable'],
  }),
}
