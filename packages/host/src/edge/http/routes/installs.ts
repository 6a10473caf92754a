import type { RouteParts } from './env.ts'
import type { HandlersOf } from './mount.ts'

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
