import { refuse } from '@svc/contract'
import type { RouteName } from '@svc/contract/routes'
import { jsonLines } from '../json-lines.ts'
import type { RouteParts } from './env.ts'
import type { HandlersOf } from './mount.ts'

/** What the operator does with a host. */
export function adminHandlers({
  services: { audit, log, users },
}: RouteParts): HandlersOf<Extract<RouteName, `admin.${string}`>> {
  return {
    'admin.audit': ({ query }) => audit.read(query),
    async 'admin.verify_publisher'({ params, body }) {
      const { name } = await body()
      return users.verifyPublisher(params.user_id, name)
    },
    async 'admin.withdraw_publisher'({ params }) {
      if (await users.withdrawPublisher(params.user_id)) return {}
      throw refuse('not_found', 'this user has no verified name')
    },
    async 'admin.block'({ params }) {
      await users.block(params.user_id)
      return {}
    },
    async 'admin.unblock'({ params }) {
      if (await users.unblock(params.user_id)) return {}
      throw refuse('not_found', 'this user is not blocked')
    },
    async 'admin.erase'({ params }) {
      await users.erase(params.user_id)
      return {}
    },
    'admin.data': async ({ params }) => jsonLines(users.export(params.user_id), log),
    async 'admin.sign_out'({ params }) {
      await users.signOut(params.user_id)
      return {}
    },
  }
}
