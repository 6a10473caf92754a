import { jsonText } from './answer.ts'
import type { RouteParts } from './env.ts'
import type { HandlersOf } from './mount.ts'

/** Listing and cancelling the user's jobs over all apps: for the page alone. */
export const jobHandlers = ({
  services: { jobs },
}: RouteParts): HandlersOf<'page.jobs' | 'page.cancelJob'> => ({
  'page.jobs': async ({ userId, query }) => jsonText(await jobs.list({ userId }, query)),
  async 'page.cancelJob'({ userId, params, body }) {
    const { reason } = await body()
    return jobs.ofUser.cancel(userId, params.job_id, reason)
  },
})
