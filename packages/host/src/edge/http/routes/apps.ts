import { refuse } from '@svc/contract'
import { noSuchApp } from '../../../apps/own-app.ts'
import { openTurns } from '../../rpc/turns.ts'
import { readPush } from './draft.ts'
import type { RouteParts } from './env.ts'
import type { HandlersOf } from './mount.ts'

/** Registering apps, pushing drafts, releasing them, deleting both. */
export function appHandlers({
  services,
  longBodies,
}: RouteParts): HandlersOf<
  'apps.register' | 'apps.push' | 'apps.release' | 'apps.remove' | 'apps.remove_release'
> {
  const { apps } = services
  /** One push of a user at a time. */
  const turns = openTurns()
  return {
    'apps.register': async ({ userId, body }) => apps.register(userId, await body()),
    async 'apps.push'({ raw, userId, params: { app_id } }) {
      const app = await apps.app(app_id)
      // Judged before the body: a stranger's 64 MiB are not read.
      if (app?.row.owner !== userId) throw noSuchApp(app_id)
      // The body of the next one waits unread.
      const push = async () =>
        apps.pushDraft(userId, app_id, await readPush(raw, { services, longBodies, userId }))
      return turns.take(userId, raw.signal, push).catch((error: unknown) => {
        throw raw.signal.aborted ? refuse('cancelled', 'the push was cut off before its end') : error
      })
    },
    async 'apps.release'({ userId, params, body }) {
      const { version } = await body()
      return apps.release(userId, params.app_id, version)
    },
    async 'apps.remove'({ userId, params }) {
      await apps.remove(userId, params.app_id)
      return {}
    },
    async 'apps.remove_release'({ userId, params }) {
      await apps.removeRelease(userId, params.app_id, params.version)
      return {}
    },
  }
}

/** Installing, listing and uninstalling apps; grants are written only here. */
export const installHandlers = ({
  services: { apps },
}: RouteParts): HandlersOf<'installs.install' | 'installs.list' | 'installs.remove'> => ({
  'installs.install': async ({ userId, body }) => apps.install(userId, await body()),
  'installs.list': async ({ userId }) => ({ installs: await apps.installs(userId) }),
  async 'installs.remove'({ userId, params }) {
    await apps.uninstall(userId, params.install_id)
    return {}
  },
})
