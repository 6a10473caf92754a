import { methods } from '@svc/contract'
import type { RouteParts } from './env.ts'
import type { HandlersOf } from './mount.ts'
import { queryArgs } from './query.ts'
import { readArgs } from './read-args.ts'

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
