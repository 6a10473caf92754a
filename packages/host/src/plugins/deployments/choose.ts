import type { Limits } from '@svc/contract'
import type { StoreRecord } from '@svc/state'
import type { Copies } from '../../catalog/copies.ts'
import type { PlugRow, SnapshotRow } from '../../catalog/plug-row.ts'
import { versionKey } from '../../catalog/plug-row.ts'
import { DRAFT_VERSION } from '../../catalog/records.ts'
import { contentOfLive, contentOfVersion, type PluginContent } from './content.ts'
import type { DeclaredPlugin } from './declared.ts'
import type { Seeker, SeekersVersion } from './plugins.ts'

/** What decides which version a seeker gets, from copies or as it was before a change. */
export interface PluginSource {
  plug(toolId: string): Promise<StoreRecord<PlugRow> | null>
  offered(toolId: string): Promise<StoreRecord<SnapshotRow> | null>
  version(toolId: string, version: string): Promise<StoreRecord<SnapshotRow> | null>
  /** Who owns an app. */
  appOwner(appId: string): Promise<string | null>
}

/** The plugin source of a host: copies, at most `CACHE_STALE_MS` old. */
export const sourceOf = ({ plugs, offered, plugVersions, apps }: Copies): PluginSource => ({
  plug: async (toolId) => plugs.get(toolId),
  offered: async (toolId) => offered.get(toolId),
  version: async (toolId, version) => plugVersions.get(versionKey(toolId, version)),
  appOwner: async (appId) => (await apps.get(appId))?.row.owner ?? null,
})

/**
 * What a seeker gets of a published plugin, `undefined` where it may not reach it or has no version for it: a release
 * the version that it pinned, a draft the one that its manifest names, else the live record of the user's own plugin
 * and the version that is offered of another's.
 */
export async function choose(
  source: PluginSource,
  seeker: Seeker,
  declared: DeclaredPlugin,
  limits: Limits,
): Promise<PluginContent | undefined> {
  const plug = await source.plug(declared.tool_id)
  if (!plug || plug.row.removed_at !== null) return undefined
  if (!(await mayReach(source, seeker, plug.row))) return undefined
  return contentFor(source, seeker, declared, plug.row, limits)
}

/** Its owner; anybody, where it is public; users of an app of its owner, where it is bundled with that. */
async function mayReach(
  source: PluginSource,
  { userId, version }: Seeker,
  { owner, visibility }: PlugRow,
): Promise<boolean> {
  if (owner === userId) return true
  if (version === null || visibility === 'private') return false
  return visibility === 'public' || (await source.appOwner(version.app_id)) === owner
}

async function contentFor(
  source: PluginSource,
  { userId, version }: Seeker,
  { tool_id, version: asked }: DeclaredPlugin,
  plug: PlugRow,
  limits: Limits,
): Promise<PluginContent | undefined> {
  const frozen = (found: StoreRecord<SnapshotRow> | null) =>
    found ? contentOfVersion(plug.owner, found.row, limits) : undefined
  if (version && version.version !== DRAFT_VERSION) {
    const pinned = pinOf(version, tool_id)
    return pinned === undefined ? undefined : frozen(await source.version(tool_id, pinned))
  }
  if (version && asked !== null) {
    const found = await source.version(tool_id, asked)
    return found?.row.status === 'yanked' ? undefined : frozen(found)
  }
  if (plug.owner === userId) return contentOfLive(tool_id, plug, limits)
  return frozen(await source.offered(tool_id))
}

const pinOf = ({ pins = {} }: SeekersVersion, toolId: string) =>
  Object.hasOwn(pins, toolId) ? pins[toolId] : undefined
