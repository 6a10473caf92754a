import { refuse } from '@svc/contract'
import { type PluginNames, toolDenial } from '../access/tools.ts'
import type { House } from '../house.ts'
import { type InstallRow, installId, type VersionRow } from '../records.ts'
import { statusAt } from '../windows/silence.ts'
import type { WindowRecord } from '../windows/windows.ts'
import { blockedBy } from './eligible.ts'
import type { PlatformTool } from './platform-tool.ts'
import type { SessionRecord } from './session-row.ts'
import { judgeSubmode } from './submode.ts'

/** What decides which tools a session may call. */
export interface ToolRights {
  readonly session: SessionRecord
  readonly version: VersionRow
  readonly install: InstallRow
  /** `null`: the session was made by no window. */
  readonly window: WindowRecord | null
}

/**
 * The rights of a session as they are now: a push of the draft, an uninstall and a closed window count at once.
 * Errors: `not_found`, and those of its submode.
 */
export async function readRights(
  house: Pick<House, 'clock' | 'copies' | 'limits' | 'plugins'>,
  session: SessionRecord,
): Promise<ToolRights> {
  const { clock, copies, limits } = house
  const { user_id, app_id, window_uuid } = session.row
  const window = window_uuid === null ? null : await copies.windows.get(window_uuid)
  const isClosed = window_uuid !== null && (!window || statusAt(window.row, clock.now(), limits) === 'closed')
  if (isClosed) throw refuse('not_found', 'the window of this session is closed')
  const install = await copies.installs.get(installId(user_id, app_id))
  const version = install && (await copies.versions.get(window?.row.version_id ?? install.row.version_id))
  if (!install || !version) throw refuse('not_found', 'the app of this session is not installed any more')
  const rights = { session, version: version.row, install: install.row, window }
  holdSubmode(house, rights)
  return rights
}

/** Holds the submode of a session against the manifest of now. Errors: `permission_denied`. */
export function holdSubmode(
  house: Pick<House, 'plugins'>,
  { session: { row }, version }: Pick<ToolRights, 'session' | 'version'>,
): void {
  judgeSubmode(house, {
    ...{ kind: row.kind, submode: row.submode, fixedClientId: row.fixed_client_id },
    ...{ userId: row.user_id, version },
  })
}

/** Why a session may not use a platform tool; `null`: it may (design §9, "Tools of a session"). */
export function platformDenial(
  tool: Pick<PlatformTool, 'name' | 'dev_safe'>,
  { session, version, install }: Pick<ToolRights, 'session' | 'version' | 'install'>,
): string | null {
  const isHeir = session.row.inherit_host_tools && install.grants.agent?.inherit_host_tools === true
  if (session.row.submode === 'fixed' && !isHeir)
    return 'A fixed session has platform tools only where the user granted inherit_host_tools.'
  return blockedBy(tool, version.manifest, install.grants)?.hint ?? null
}

/** Why a session may not use a plugin; `null`: it may (design §9; the tool ACL, spec §5.5). */
export function pluginDenial(
  plugin: PluginNames,
  { session: { row }, version }: Pick<ToolRights, 'session' | 'version'>,
): string | null {
  if (row.submode === 'auto') return toolDenial(version.manifest, plugin)
  return plugin.tool_id === row.fixed_client_id ? null : 'A fixed session has the tools of its plugin alone.'
}
