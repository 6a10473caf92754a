import { limits } from '../limits/index.ts'
import { jobSnapshot, tools } from '../methods/tools.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { route } from './row.ts'

const [, states] = tools.listJobs.args.shape.state.unwrap().options

/** The jobs of the user over all apps: for the page alone. */
export const jobs = {
  'page.jobs': route('GET', '/api/v1/svc-apps/jobs', {
    auth: 'cookie',
    tag: 'windows',
    summary: 'Lists the jobs of the user, newest first, each with the last of its progress.',
    query: () =>
      z.object({
        limit: tools.listJobs.args.shape.limit,
        state: z
          .string()
          .transform((text) => text.split(','))
          .pipe(states)
          .optional()
          .describe('States, joined by commas.'),
      }),
    answer: () =>
      z.object({
        jobs: z.array(jobSnapshot.extend({ app_id: z.string() })),
        truncated: z.boolean(),
      }),
    errors: [],
  }),
  'page.cancelJob': route('POST', '/api/v1/svc-apps/jobs/{job_id}/cancel', {
    auth: 'cookie',
    tag: 'windows',
    summary: 'Cancels a job of the user, of whatever app.',
    params: { job_id: 'A job of the user.' },
    body: () => z.object({ reason: text(limits.CANCEL_REASON_MAX_CHARS).optional() }),
    answer: tools.cancelJob.result,
    errors: ['job_not_found'],
  }),
}
