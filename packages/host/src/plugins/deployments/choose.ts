import type { Limits } from '@svc/contract'
import type { StoreRecord } from '@svc/state'
import type { Copies } from '../../catalog/copies.ts'
import type { PlugRow, SnapshotRow } from '../../catalog/plug-row.ts'
import { versionKey } from '../../catalog/plug-row.ts'
import { DRAFT_VERSION, type VersionRow } from '../../catalog/records.ts'
import { when } from '../../kernel/when.ts'
import { contentOfLive, contentOfVersion, type PluginContent } from './content.ts'
import type { DeclaredPlugin } from './declared.ts'
import type { Seeker, Soon } from './plugins.ts'

type Found<Row> = Soon<StoreRecord<Row> | null>

/** What decides which version a seeker gets, from copies or as it was before a change. */
export interface Shelf {
  plug(toolId: string): Found<PlugRow>
  offered(toolId: string): Found<SnapshotRow>
  version(toolId: string, version: string): Found<SnapshotRow>
  /** Who owns an app. */
  appOwner(appId: string): Soon<string | null>
}

/** The shelf of a host: copies, at most `CACHE_STALE_MS` old. */
export const shelfOf = ({ plugs, offered, plugVersions, apps }: Copies): Shelf => ({
  plug: (toolId) => plugs.get(toolId),
  offered: (toolId) => offered.get(toolId),
  version: (toolId, version) => plugVersions.get(versionKey(toolId, version)),
  appOwner: (appId) => when(apps.get(appId), (app) => app?.row.owner ?? null),
})

/**
 * What a seeker gets of a published plugin, `undefined` where it may not reach it or has no version for it: a release
 * the version that it pinned, a draft the one that its manifest names, else the live record of the user's own plugin
 * and the version that is offered of another's.
 */
export function choose(
  shelf: Shelf,
  seeker: Seeker,
  declared: DeclaredPlugin,
  limits: Limits,
): Soon<PluginContent | undefined> {
  const { tool_id } = declared
  return when(shelf.plug(tool_id), (plug) => {
    if (!plug || plug.row.removed_at !== null) return undefined
    return when(mayReach(shelf, seeker, plug.row), (may) =>
      may ? contentFor(shelf, seeker, declared, plug.row, limits) : undefined,
    )
  })
}

/** Its owner; anybody, where it is public; users of an app of its owner, where it is bundled with that. */
function mayReach(shelf: Shelf, { userId, version }: Seeker, { owner, visibility }: PlugRow): Soon<boolean> {
  if (owner === userId) return true
  if (version === null || visibility === 'private') return false
  return visibility === 'public' || when(shelf.appOwner(version.app_id), (appOwner) => appOwner === owner)
}

function contentFor(
  shelf: Shelf,
  { userId, version }: Seeker,
  { tool_id, version: asked }: DeclaredPlugin,
  plug: PlugRow,
  limits: Limits,
): Soon<PluginContent | undefined> {
  const frozen = (found: StoreRecord<SnapshotRow> | null) =>
    found ? contentOfVersion(plug.owner, found.row, limits) : undefined
  if (version && version.version !== DRAFT_VERSION) {
    const pinned = pinOf(version, tool_id)
    return pinned === undefined ? undefined : when(shelf.version(tool_id, pinned), frozen)
  }
  if (version && asked !== null)
    return when(shelf.version(tool_id, asked), (found) =>
      found?.row.status === 'yanked' ? undefined : frozen(found),
    )
  if (plug.owner === userId) return contentOfLive(tool_id, plug, limits)
  return when(shelf.offered(tool_id), frozen)
}

const pinOf = ({ pins = {} }: VersionRow, toolId: string) =>
  Object.hasOwn(pins, toolId) ? pins[toolId] : undefined
