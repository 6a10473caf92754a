import { refuse } from '@svc/contract'
import { each } from '@svc/state'
import type { House } from '../house.ts'
import { judgeFrozen } from './content.ts'
import type { PublishingParts } from './parts.ts'
import {
  type Content,
  type SnapshotRecord,
  type SnapshotRow,
  snapshotId,
  snapshots,
  versionKey,
} from './plug-row.ts'

/** The number of a plugin's first version. */
export const FIRST_SEQ = 1

/** The newest version of a plugin; `null` when there is none. */
export async function newest(
  { store }: Pick<House, 'store'>,
  toolId: string,
): Promise<SnapshotRecord | null> {
  const page = await store.scan(snapshots, 'byPlug', { eq: [toolId], order: 'desc', limit: 1 })
  return page.rows[0] ?? null
}

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
export function dropCopies({ offered, plugVersions }: House['copies'], { row }: SnapshotRecord): void {
  offered.drop(row.tool_id)
  plugVersions.drop(versionKey(row.tool_id, row.version))
}

/** A version by its name; `null` when there is none. */
export async function findSnapshot(
  { store }: Pick<House, 'store'>,
  toolId: string,
  version: string,
): Promise<SnapshotRecord | null> {
  const page = await store.scan(snapshots, 'byVersion', { eq: [toolId, version], limit: 1 })
  return page.rows[0] ?? null
}

const PAGE = 20

/** The version that a new install gets: the newest that is not yanked; `null` when there is none. */
export async function offered(
  { store }: Pick<House, 'store'>,
  toolId: string,
): Promise<SnapshotRecord | null> {
  const newestFirst = { eq: [toolId], order: 'desc', limit: PAGE } as const
  for await (const record of each(store, snapshots, 'byPlug', newestFirst))
    if (record.row.status !== 'yanked') return record
  return null
}
