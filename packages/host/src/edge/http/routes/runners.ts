import type { RouteParts } from './env.ts'
import type { HandlersOf } from './mount.ts'

/** Enrolling, listing and revoking the machines of a user; their links come in by `runner-sockets.ts`. */
export const runnerHandlers = ({
  services: { runners },
}: RouteParts): HandlersOf<'runners.enrol' | 'runners.list' | 'runners.revoke'> => ({
  'runners.enrol': async ({ userId, json }) => runners.enrol(userId, await json()),
  'runners.list': async ({ userId }) => ({ runners: await runners.list(userId) }),
  async 'runners.revoke'({ userId, params }) {
    await runners.revoke(userId, params.runner_id)
    return {}
  },
})
