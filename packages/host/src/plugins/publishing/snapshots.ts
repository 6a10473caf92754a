import { refuse, wrongArg } from '@svc/contract'
import { snapshot } from '@svc/contract/states'
import {
  type Content,
  plugs,
  type SnapshotRecord,
  type SnapshotRow,
  snapshotId,
  snapshots,
  versionKey,
} from '../../catalog/plug-row.ts'
import { findSnapshot, offered } from '../../catalog/plug-versions.ts'
import type { RecordChange } from '../deployments/notify.ts'
import type { PluginServices } from '../services.ts'
import { judgeFrozen } from './content.ts'
import { ownPlug } from './own-plug.ts'
import type { MarkBody } from './plug-input.ts'
import type { PublishingParts } from './publishing.ts'

/** The number of a plugin's first version. */
export const FIRST_SEQ = 1

/**
 * Freezes content as the version with the number `seq`: the one insert that decides, so of two who saw the same newest
 * version one comes through. `null` where another was first. Errors: `invalid_arg` (a package without an exact
 * version), `quota_exceeded`.
 */
export async function freeze(
  { clock, copies, limits, store }: Pick<PublishingParts, 'clock' | 'copies' | 'limits' | 'store'>,
  toolId: string,
  seq: number,
  { owner, version, manifest, distribution }: Content & Pick<SnapshotRow, 'owner' | 'version'>,
): Promise<SnapshotRecord | null> {
  judgeFrozen(toolId, { distribution })
  const row: SnapshotRow = {
    tool_id: toolId,
    owner,
    size_bytes: Buffer.byteLength(JSON.stringify(manifest)),
    seq,
    version,
    manifest,
    distribution,
    status: 'active',
    reason: null,
    successor: null,
    created_at: clock.now(),
  }
  const { PLUG_VERSIONS_MAX: max, PLUG_VERSIONS_BYTES_PER_USER: maxBytes } = limits
  const frozen = await store.insert(snapshots, snapshotId(toolId, seq), row, {
    caps: [
      { name: 'version', index: 'byVersion', eq: [toolId, version], max: 1 },
      { name: 'versions', index: 'byPlug', eq: [toolId], max },
      { name: 'bytes', index: 'byOwner', eq: [owner], max: maxBytes, of: 'weight' },
    ],
  })
  if (frozen.ok) {
    dropCopies(copies, frozen.record)
    return frozen.record
  }
  if ('full' in frozen && frozen.full === 'versions')
    throw refuse('quota_exceeded', `a plugin may have at most ${max} versions`)
  if ('full' in frozen && frozen.full === 'bytes') throw tooManyBytes(maxBytes, row.size_bytes)
  return null
}

const tooManyBytes = (max: number, size: number) =>
  refuse(
    'quota_exceeded',
    `a version whose manifest has ${size} bytes does not fit: the versions of all plugins of a user may have at most ${max} bytes of manifests`,
    {
      limit: 'PLUG_VERSIONS_BYTES_PER_USER',
      max,
      size,
      hint: 'Remove a plugin that is not needed; its versions free their space when they are deleted.',
    },
  )

/** Forgets what this host holds copies of, after a version was frozen or marked. */
export function dropCopies(
  { offered, plugVersions }: PluginServices['copies'],
  { row }: SnapshotRecord,
): void {
  offered.drop(row.tool_id)
  plugVersions.drop(versionKey(row.tool_id, row.version))
}

/** The event of the table that leads to each status. */
const events = { active: 'restore', deprecated: 'deprecate', yanked: 'yank' } as const

/**
 * Says of one version whether it is offered, why, and which version comes in its place. Jobs and releases that use it
 * keep it. Errors: `not_found`, `invalid_arg`.
 */
export async function markVersion(
  parts: PublishingParts,
  userId: string,
  toolId: string,
  version: string,
  body: MarkBody,
): Promise<SnapshotRow> {
  const { status, reason = null, successor = null } = body
  if (status === 'active' && (reason !== null || successor !== null))
    throw refuse('invalid_arg', 'reason and successor belong to a version that is deprecated or yanked')
  await ownPlug(parts, userId, toolId)
  for (;;) {
    const found = await findSnapshot(parts, toolId, version)
    if (!found) throw refuse('not_found', `the plugin ${toolId} has no version ${JSON.stringify(version)}`)
    if (successor !== null) await judgeSuccessor(parts, toolId, version, successor)
    const next = snapshot.next(found.row.status, events[status]) ?? found.row.status
    const row = { ...found.row, status: next, reason, successor }
    const before = await offered(parts, toolId)
    const swapped = await parts.store.swap(snapshots, found.id, found.revision, row)
    if (!swapped.ok) continue
    dropCopies(parts.copies, swapped.record)
    await notifyMark(parts, toolId, { before, mark: { before: found, after: swapped.record } })
    return row
  }
}

/** Notifies windows that a version is offered, or no longer is; the plugin's live record did not change. */
async function notifyMark(
  parts: PublishingParts,
  toolId: string,
  { before, mark }: { readonly before: SnapshotRecord | null; readonly mark: RecordChange<SnapshotRow> },
) {
  const [was, is] = [mark.before, mark.after].map((record) => record?.row.status === 'yanked')
  if (was === is) return
  const plug = await parts.store.get(plugs, toolId)
  const name = mark.after?.row.version ?? ''
  await parts.published.changed({
    toolId,
    plug: { before: plug, after: plug },
    offered: { before, after: await offered(parts, toolId) },
    version: { name, ...mark },
  })
}

async function judgeSuccessor(parts: PublishingParts, toolId: string, version: string, successor: string) {
  const found = successor === version ? null : await findSnapshot(parts, toolId, successor)
  if (!found)
    throw wrongArg('successor', `must be another version of this plugin, got ${JSON.stringify(successor)}`)
  if (found.row.status === 'yanked')
    throw wrongArg('successor', `must not be yanked, got ${JSON.stringify(successor)}`)
}
