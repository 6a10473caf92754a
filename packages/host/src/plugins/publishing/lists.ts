import { publisherOf } from '../../access/users/publishers.ts'
import { type PlugRecord, plugs, type SnapshotRow, snapshots } from '../../catalog/plug-row.ts'
import { offered } from '../../catalog/plug-versions.ts'
import { type ListQuery, listPage } from '../../kernel/list-page.ts'
import { openSearch } from '../../kernel/search.ts'
import { contentOfLive, contentOfVersion } from '../deployments/content.ts'
import { ownPlug, plugState } from './own-plug.ts'
import type { ListedPlug, PlugPage, PublishingParts } from './publishing.ts'
import { configuredPlug, listedPlug } from './view.ts'

/** The user's own plugins, the newest first, searched and page by page. Errors: `invalid_arg`. */
export async function ownPlugs(parts: PublishingParts, userId: string, query: ListQuery): Promise<PlugPage> {
  const isFound = openPlugSearch(query.search)
  const publisher = await publisherOf(parts.copies, userId)
  const { entries, next_cursor } = await listPage(
    query,
    parts.limits,
    (range) => parts.store.scan(plugs, 'byOwner', { eq: [userId], order: 'desc', ...range }),
    async (plug) => {
      const runnerState = await plugState(parts, userId, contentOfLive(plug.id, plug.row, parts.limits))
      const listed = listedPlug(plug, plug.row, { own: true, publisher, standing: runnerState })
      return isFound(listed) ? listed : null
    },
  )
  return { plugs: entries, next_cursor }
}

/**
 * What a user may see: the first page begins with the user's own plugins as they are and the operator's, then come the
 * public ones of others, each as the version that is offered; one whose versions are all yanked is left out. A search
 * looks only at what the list shows: what others did not publish yet cannot be found out by it. Errors: `invalid_arg`.
 */
export async function visiblePlugs(
  parts: PublishingParts,
  userId: string,
  query: ListQuery,
): Promise<PlugPage> {
  const isFound = openPlugSearch(query.search)
  const others = await listPage(
    query,
    parts.limits,
    (range) => parts.store.scan(plugs, 'listed', { eq: ['public'], order: 'desc', ...range }),
    async (plug) => {
      const listed = plug.row.owner === userId ? null : await offeredPlug(parts, userId, plug)
      return listed && isFound(listed) ? listed : null
    },
  )
  if (query.cursor !== undefined) return { plugs: others.entries, next_cursor: others.next_cursor }
  const own = await ownPlugs(parts, userId, { search: query.search, limit: parts.limits.PLUGS_PER_USER })
  const configured = (await operatorPlugs(parts, userId)).filter(isFound)
  return { plugs: [...own.plugs, ...configured, ...others.entries], next_cursor: others.next_cursor }
}

/** Tells whether a search finds a plugin in what a list shows of it. */
function openPlugSearch(search: string | undefined): (plug: ListedPlug) => boolean {
  const isFound = openSearch(search)
  return ({ tool_id, name, tags, tools, publisher }) =>
    isFound([tool_id, name, ...tags, ...tools, publisher?.name ?? ''])
}

/** The plugin of another, as the version that is offered; `null` where none is. */
async function offeredPlug(
  parts: PublishingParts,
  userId: string,
  plug: PlugRecord,
): Promise<ListedPlug | null> {
  const version = await offered(parts, plug.id)
  if (!version) return null
  const { owner } = plug.row
  const content = contentOfVersion(owner, version.row, parts.limits)
  const publisher = await publisherOf(parts.copies, owner)
  const standing = await plugState(parts, userId, content)
  return listedPlug(plug, version.row, { own: false, publisher, standing })
}

/** The plugins of the operator's configuration, in its order. */
async function operatorPlugs(
  { plugins, settings, startedAt }: PublishingParts,
  userId: string,
): Promise<ListedPlug[]> {
  const known = await plugins.of({ userId, version: null })
  return known
    .filter(({ owner }) => owner === undefined)
    .map((plugin) => configuredPlug(plugin, startedAt, settings.harness))
}

/** Every version of a plugin of its owner, the newest first. Errors: `not_found`. */
export async function versionsOf(
  parts: PublishingParts,
  userId: string,
  toolId: string,
): Promise<SnapshotRow[]> {
  await ownPlug(parts, userId, toolId)
  const page = await parts.store.scan(snapshots, 'byPlug', {
    eq: [toolId],
    order: 'desc',
    limit: parts.limits.PLUG_VERSIONS_MAX,
  })
  return page.rows.map(({ row }) => row)
}
