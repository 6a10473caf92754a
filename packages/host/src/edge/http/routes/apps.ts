import { refuse } from '@svc/contract'
import type { RouteName } from '@svc/contract/routes'
import { noSuchApp } from '../../../apps/own-app.ts'
import { openTurns } from '../../rpc/turns.ts'
import { servePieces } from '../serve-pieces.ts'
import { audienceOf } from './audience.ts'
import { readPush } from './draft.ts'
import type { RouteParts } from './env.ts'
import type { HandlersOf } from './mount.ts'

/** An archive is of this caller and this moment, and is shown by no page. */
const archiveHeaders = {
  'content-type': 'application/x-tar',
  'content-disposition': 'attachment; filename="app.tar"',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const

/** Registering apps, finding them again, pushing drafts, releasing them, deleting both. */
export function appHandlers({
  services,
  longBodies,
}: RouteParts): HandlersOf<Extract<RouteName, `apps.${string}`>> {
  const { apps } = services
  /** One push of a user at a time. */
  const turns = openTurns()
  return {
    'apps.register': async ({ userId, body }) => apps.register(userId, await body()),
    'apps.lint': async ({ userId, body }) => ({ lacks: await apps.lacks(userId, (await body()).manifest) }),
    'apps.list': ({ userId, query }) => apps.own(userId, query),
    'apps.releases': ({ userId, params, query }) => apps.releases(userId, params.app_id, query),
    async 'apps.archive'({ raw, userId, params }) {
      const body = await apps.archive(userId, params.app_id, params.version)
      return servePieces(raw, { status: 200, headers: archiveHeaders, body }, services.limits)
    },
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
      const { version, force } = await body()
      return apps.release(userId, params.app_id, version, force)
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
  services,
  services: { apps },
}: RouteParts): HandlersOf<'installs.install' | 'installs.list' | 'installs.remove'> => ({
  async 'installs.install'({ userId, body }) {
    const install = await body()
    await audienceOf({ services }).judgeInstall(userId, install.app_id, install.version)
    return apps.install(userId, install)
  },
  'installs.list': async ({ userId, query }) => ({ installs: await apps.installs(userId, query.search) }),
  async 'installs.remove'({ userId, params }) {
    await apps.uninstall(userId, params.install_id)
    return {}
  },
})
