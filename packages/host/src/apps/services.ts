import type { UserData } from '../access/users/users.ts'
import type { PluginServices } from '../plugins/services.ts'
import type { NamedTool } from './grants.ts'
import type { OpenApps } from './open-apps.ts'

/** What apps need of the services below them. */
export interface AppNeeds extends PluginServices, Pick<UserData, 'endInstall'> {
  /** The platform tools of this host, by name. */
  readonly platformTools: ReadonlyMap<string, NamedTool>
}

/** With the apps. */
export interface AppServices extends AppNeeds {
  readonly apps: OpenApps
}
