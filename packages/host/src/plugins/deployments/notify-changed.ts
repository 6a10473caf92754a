import { toolDenial } from '../../access/manifest/tools.ts'
import { openWindowsUnder } from '../../windows/parts.ts'
import type { PluginServices } from '../services.ts'
import type { KnownPlugin } from './plugins.ts'

/**
 * Tells every open window whose app may use a plugin that its tools changed. Plugins of the
 * configuration are everybody's, so this looks at the open windows of all users; it happens when a plugin is
 * described or given up, and never in a call.
 */
export async function notifyToolsChanged(
  services: Pick<PluginServices, 'clock' | 'limits' | 'store' | 'copies' | 'events' | 'log'>,
  plugin: KnownPlugin,
): Promise<void> {
  try {
    for (const { id, row } of await openWindowsUnder(services, 'openByUser', [])) {
      const version = await services.copies.versions.get(row.version_id)
      if (version && toolDenial(version.row.manifest, plugin) === null)
        services.events.emit(row.user_id, 'tools.changed', id, {})
    }
  } catch (err) {
    services.log.error({ err, plugin: plugin.handle }, 'windows were not told that their tools changed')
  }
}
