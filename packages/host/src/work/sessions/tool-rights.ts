import { refuse } from '@svc/contract'
import { type PluginNames, toolDenial } from '../../access/manifest.ts'
import { blockedBy } from '../../apps/grants.ts'
import { type InstallRow, installId, type VersionRow } from '../../catalog/records.ts'
import { statusAt, type WindowRecord } from '../../catalog/window-row.ts'
import type { KnownPlugin } from '../../plugins/deployments/plugins.ts'

import type { WorkServices } from '../services.ts'
import type { PlatformTool } from './platform-tools.ts'
import type { SessionRecord } from './session-row.ts'
import { clientDenial, judgeSubmode } from './submode.ts'

/** A session with what its app may do. */
export interface SessionRights {
  readonly session: SessionRecord
  readonly version: VersionRow
  readonly install: InstallRow
}

/** What decides which tools a session may call. */
export interface ToolRights extends SessionRights {
  /** `null`: the session was made by no window. */
  readonly window: WindowRecord | null
}

/** What an app of a user may do. */
export type AppRights = Omit<ToolRights, 'session'>

/**
 * The rights of an app as they are now: those of the version that a window shows, or, without a window, of the
 * installed one. Errors: `not_found`.
 */
export async function appRights(
  { clock, copies, limits }: Pick<WorkServices, 'clock' | 'copies' | 'limits'>,
  {
    userId,
    appId,
    windowUuid,
  }: { readonly userId: string; readonly appId: string; readonly windowUuid: string | null },
): Promise<AppRights> {
  const window = windowUuid === null ? null : await copies.windows.get(windowUuid)
  const isClosed = windowUuid !== null && (!window || statusAt(window.row, clock.now(), limits) === 'closed')
  if (isClosed) throw refuse('not_found', 'its window is closed')
  const install = await copies.installs.get(installId(userId, appId))
  const version = install && (await copies.versions.get(window?.row.version_id ?? install.row.version_id))
  if (!install || !version) throw refuse('not_found', 'its app is not installed any more')
  return { version: version.row, install: install.row, window }
}

/**
 * The rights of a session as they are now: a push of the draft, an uninstall and a closed window count at once.
 * Errors: `not_found`, and those of its submode.
 */
export async function readRights(
  services: Pick<WorkServices, 'clock' | 'copies' | 'limits' | 'plugins'>,
  session: SessionRecord,
): Promise<ToolRights> {
  const { user_id, app_id, window_uuid } = session.row
  const whose = { userId: user_id, appId: app_id, windowUuid: window_uuid }
  const rights = { session, ...(await appRights(services, whose)) }
  await checkSubmode(services, rights)
  return rights
}

/** Checks the submode of a session against the current manifest. Errors: `permission_denied`. */
export async function checkSubmode(
  services: Pick<WorkServices, 'plugins'>,
  { session: { row }, version }: Pick<ToolRights, 'session' | 'version'>,
): Promise<void> {
  await judgeSubmode(services, {
    kind: row.kind,
    submode: row.submode,
    fixedClientId: row.fixed_client_id,
    userId: row.user_id,
    version,
  })
}

/** Why a session may not use a platform tool; `null`: it may. */
export function platformDenial(
  tool: Pick<PlatformTool, 'name' | 'dev_safe'>,
  { session, version, install }: SessionRights,
): string | null {
  const isHeir = session.row.inherit_host_tools && install.grants.agent?.inherit_host_tools === true
  if (session.row.submode === 'fixed' && !isHeir)
    return 'A fixed session has platform tools only where the user granted inherit_host_tools.'
  return blockedBy(tool, version.manifest, install.grants)?.hint ?? null
}

/** Why a session may not use a plugin; `null`: it may. */
export function pluginDenial(
  plugin: PluginNames & Pick<KnownPlugin, 'owner'>,
  { session: { row }, version }: Pick<ToolRights, 'session' | 'version'>,
): string | null {
  if (row.submode === 'auto') return toolDenial(version.manifest, plugin)
  if (plugin.tool_id !== row.fixed_client_id) return 'A fixed session has the tools of its plugin alone.'
  return clientDenial(version.manifest, row.user_id, plugin)
}
