import { type Handlers, type Methods, type ResultOf, refuse } from '@svc/contract'
import type { InstalledApp } from '../../apps/apps.ts'
import type { CallContext } from './context.ts'

/** Handlers of `apps.*`. */
export const apps: Handlers<'apps', CallContext> = {
  async list(_args, { services, userId }) {
    return { apps: (await services.apps.installed(userId)).map(publicApp) }
  },

  async get({ app_id }, { services, userId }) {
    const app = (await services.apps.installed(userId)).find((one) => one.app_id === app_id)
    if (!app)
      throw refuse('not_found', `the app ${JSON.stringify(app_id)} is not installed`, {
        hint: 'svc.apps.list() names the apps that are.',
      })
    return publicApp(app)
  },

  async open({ app_id, view, payload }, { services, window }) {
    const { window_uuid } = await services.windows.openView(window, view, payload, app_id)
    return { window_uuid }
  },
}

/** What an app may know of another one: not what the user granted it. */
const publicApp = ({ app_id, name, version, views }: InstalledApp): ResultOf<Methods['apps']['get']> => ({
  app_id,
  name,
  version,
  views: [...views],
})
