import { wrongArg } from '@svc/contract'
import { StoreError } from '@svc/state'
import { publisherOf } from '../../access/users/publishers.ts'
import { plugs, type SnapshotRow, snapshots } from '../../catalog/plug-row.ts'
import { offered } from '../../catalog/plug-versions.ts'
import { contentOfLive, contentOfVersion } from '../deployments/content.ts'
import { ownPlug, plugState } from './own-plug.ts'
import type { ListQuery } from './plug-input.ts'
import type { ListedPlug, PlugPage, PublishingParts } from './publishing.ts'
import { configuredPlug, listedPlug } from './view.ts'

/** The user's own plugins, the newest first: all of them, which is `PLUGS_PER_USER` at most. */
export async function ownPlugs(parts: PublishingParts, userId: string): Promise<ListedPlug[]> {
  const { limits, store } = parts
  const page = await store.scan(plugs, 'byOwner', {
    eq: [userId],
    order: 'desc',
    limit: limits.PLUGS_PER_USER,
  })
  const publisher = await publisherOf(parts.copies, userId)
  return page.rows.map((plug) => {
    const runnerState = plugState(parts, userId, contentOfLive(plug.id, plug.row, limits))
    return listedPlug(plug, plug.row, { own: true, publisher, standing: runnerState })
  })
}

/**
 * What a user may see: the first page begins with the user's own plugins as they are and the operator's, then come the
 * public ones of others, each as the version that is offered; one whose versions are all yanked is left out. Errors:
 * `invalid_arg`.
 */
export async function visiblePlugs(
  parts: PublishingParts,
  userId: string,
  { limit, cursor }: ListQuery,
): Promise<PlugPage> {
  const scan = { eq: ['public'], order: 'desc', limit, after: cursor ?? null } as const
  const page = await parts.store.scan(plugs, 'listed', scan).catch((error: unknown) => {
    if (error instanceof StoreError && error.code === 'bad_cursor')
      throw wrongArg('cursor', 'must be a next_cursor of this list')
    throw error
  })
  const listed = cursor === undefined ? await ownPlugs(parts, userId) : []
  if (cursor === undefined) listed.push(...(await operatorPlugs(parts, userId)))
  for (const plug of page.rows.filter(({ row }) => row.owner !== userId)) {
    const version = await offered(parts, plug.id)
    if (!version) continue
    const content = contentOfVersion(plug.row.owner, version.row, parts.limits)
    const publisher = await publisherOf(parts.copies, plug.row.owner)
    const standing = plugState(parts, userId, content)
    listed.push(listedPlug(plug, version.row, { own: false, publisher, standing }))
  }
  return { plugs: listed, next_cursor: page.next }
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
