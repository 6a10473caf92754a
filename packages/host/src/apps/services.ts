import type { UserData } from '../access/users/user-data.ts'
import type { PluginServices } from '../plugins/services.ts'
import type { Apps } from './apps.ts'
import type { NamedTool } from './eligible.ts'

/** With the apps. */
export interface AppServices extends PluginServices, Pick<UserData, 'endInstall'> {
  readonly apps: Apps
  /** The platform tools of this host, by name. */
  readonly platformTools: ReadonlyMap<string, NamedTool>
}
