import { refuse } from '@svc/contract'
import {
  type Content,
  type SnapshotRecord,
  type SnapshotRow,
  snapshotId,
  snapshots,
  versionKey,
} from '../../catalog/plug-row.ts'
import type { PluginServices } from '../services.ts'
import { judgeFrozen } from './content.ts'
import type { PublishingParts } from './parts.ts'

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
  { version, manifest, distribution }: Content & { readonly version: string },
): Promise<SnapshotRecord | null> {
  judgeFrozen(toolId, { distribution })
  const row: SnapshotRow = {
    tool_id: toolId,
    seq,
    version,
    manifest,
    distribution,
    status: 'active',
    reason: null,
    successor: null,
    created_at: clock.now(),
  }
  const max = limits.PLUG_VERSIONS_MAX
  const frozen = await store.insert(snapshots, snapshotId(toolId, seq), row, {
    caps: [
      { name: 'version', index: 'byVersion', eq: [toolId, version], max: 1 },
      { name: 'versions', index: 'byPlug', eq: [toolId], max },
    ],
  })
  if (frozen.ok) {
    dropCopies(copies, frozen.record)
    return frozen.record
  }
  if ('full' in frozen && frozen.full === 'versions')
    throw refuse('quota_exceeded', `a plugin may have at most ${max} versions`)
  return null
}

/** Forgets what this host holds copies of, after a version was frozen or marked. */
export function dropCopies(
  { offered, plugVersions }: PluginServices['copies'],
  { row }: SnapshotRecord,
): void {
  offered.drop(row.tool_id)
  plugVersions.drop(versionKey(row.tool_id, row.version))
}
