import { refuse, type Visibility } from '@svc/contract'
import { noSuchApp } from '../../../apps/own-app.ts'
import { OPERATOR } from '../../../catalog/records.ts'
import type { RouteParts } from './env.ts'

type Parts = { readonly services: Pick<RouteParts['services'], 'apps' | 'settings'> }

/**
 * For whom users may publish over HTTP, as the operator allows it; code that embeds the host is the operator's own, and
 * is not asked.
 */
export const audienceOf = ({ services: { apps, settings } }: Parts) => ({
  /** Lets a plugin be shown to others. Errors: `permission_denied`. */
  judgePlugin(wanted: Visibility | undefined): void {
    if (wanted !== 'public' || settings.publishing !== 'own') return
    throw refuse('permission_denied', 'the operator of this host does not let users make plugins public', {
      denied_by: 'operator',
      hint: "Leave it private or app_bundled, or ask the operator for publishing: 'everybody'.",
    })
  },
  /** Lets a user install an app: an own one, one of the operator, or one that is installed. Errors: `not_found`. */
  async judgeInstall(userId: string, appId: string, version: string): Promise<void> {
    if (settings.publishing !== 'own') return
    const owner = (await apps.app(appId))?.row.owner
    if (owner === userId || owner === OPERATOR || (await apps.installOf(userId, appId))) return
    throw noSuchApp(appId, version)
  },
})
