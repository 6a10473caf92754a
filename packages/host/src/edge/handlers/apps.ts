import { type Handlers, type Methods, type ResultOf, refuse } from '@svc/contract'
import type { InstalledApp } from '../../apps/apps.ts'
import type { CallContext } from './context.ts'

/** Handlers of `apps.*`. */
export const apps: Handlers<'apps', CallContext> = {
  async list(_args, { house, userId }) {
    return { apps: (await house.apps.installed(userId)).map(told) }
  },

  async get({ app_id }, { house, userId }) {
    const app = (await house.apps.installed(userId)).find((one) => one.app_id === app_id)
    if (!app)
      throw refuse('not_found', `the app ${JSON.stringify(app_id)} is not installed`, {
        hint: 'svc.apps.list() names the apps that are.',
      })
    return told(app)
  },

  async open({ app_id, view, payload }, { house, window }) {
    const { window_uuid } = await house.windows.openView(window, view, payload, app_id)
    return { window_uuid }
  },
}

/** What an app may know of another: what the user was allowed to grant it is not its affair. */
const told = ({ app_id, name, version, views }: InstalledApp): ResultOf<Methods['apps']['get']> => ({
  app_id,
  name,
  version,
  views: [...views],
})
