import { methods } from '@svc/contract'
import { jsonText } from './answer.ts'
import type { RouteParts } from './env.ts'
import type { HandlersOf } from './mount.ts'
import { queryArgs, readArgs } from './query.ts'

/** The user's decision on calls of destructive tools: for the page alone. */
export const approvalHandlers = ({
  services: { approvals },
}: RouteParts): HandlersOf<'approvals.answer' | 'approvals.forget'> => ({
  async 'approvals.answer'({ userId, params, body }) {
    const { answer } = await body()
    await approvals.answer(userId, params.approval_id, answer)
    return {}
  },
  async 'approvals.forget'({ userId, params }) {
    await approvals.takeBack(userId, params.app_id)
    return {}
  },
})

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

/** Enrolling, listing and revoking the machines of a user; their links come in by `runner-sockets.ts`. */
export const runnerHandlers = ({
  services: { runners },
}: RouteParts): HandlersOf<'runners.enrol' | 'runners.list' | 'runners.revoke'> => ({
  'runners.enrol': async ({ userId, body }) => runners.enrol(userId, await body()),
  'runners.list': async ({ userId }) => ({ runners: await runners.list(userId) }),
  async 'runners.revoke'({ userId, params }) {
    await runners.revoke(userId, params.runner_id)
    return {}
  },
})

const list = methods.agent['session.list']

/** Listing and ending the user's agent sessions over all apps: for the page alone. */
export const userSessionHandlers = ({
  services: {
    sessions: { ofUser },
  },
}: RouteParts): HandlersOf<'page.sessions' | 'page.endSession'> => ({
  async 'page.sessions'({ userId, context }) {
    // The method has other names for its arguments too.
    const { limit, include_expired } = readArgs(list, queryArgs(context.req.query()))
    return { sessions: await ofUser.list(userId, { limit, includeExpired: include_expired }) }
  },
  async 'page.endSession'({ userId, params }) {
    await ofUser.end(userId, params.app_session_uuid)
    return { deleted: true }
  },
})
