import type {
  Distribution,
  PluginManifest,
  ReservationState,
  SnapshotStatus,
  Visibility,
} from '@svc/contract'
import { collection, type StoreRecord } from '@svc/state'

/** Whether a plugin is a process with tools, or a manifest and a README. */
export type PlugType = 'tool' | 'skill'

/** What a version consists of: all that counts as content. */
export interface Content {
  readonly manifest: PluginManifest
  /** `null`: a skill, which has no process. */
  readonly distribution: Distribution | null
}

/** The live record of a plugin. The record's id is its `tool_id`. Times are Unix ms. */
export interface PlugRow extends Content {
  readonly owner: string
  readonly name: string
  readonly type: PlugType
  readonly version: string
  readonly visibility: Visibility
  readonly logo_url: string | null
  readonly readme: string | null
  readonly sample_prompts: readonly string[]
  readonly tags: readonly string[]
  readonly created_at: number
  readonly updated_at: number
  /** A removed one stays for a while, so that a commit that slept does not bring it back. */
  readonly removed_at: number | null
}

/** A minted `tool_id` that waits for its commit. The record's id is its `draft_id`. */
export interface ReservationRow {
  readonly tool_id: string
  readonly owner: string
  readonly name: string
  readonly type: PlugType
  readonly state: ReservationState
  readonly created_at: number
  readonly expires_at: number
  /** When the sweeper looks at it next. */
  readonly due_at: number
}

/** A frozen version. The record's id is `snapshotId(tool_id, seq)`: its insert decides who publishes next. */
export interface SnapshotRow extends Content {
  readonly tool_id: string
  /** Who owns the plugin, and whose room it takes. */
  readonly owner: string
  /** What its manifest holds, as JSON. */
  readonly size_bytes: number
  /** From 1, without holes: a later version has a higher one. */
  readonly seq: number
  readonly version: string
  readonly status: SnapshotStatus
  readonly reason: string | null
  readonly successor: string | null
  readonly created_at: number
}

/** A plugin as the store has it. */
export type PlugRecord = StoreRecord<PlugRow>
/** A draft as the store has it. */
export type ReservationRecord = StoreRecord<ReservationRow>
/** A version as the store has it. */
export type SnapshotRecord = StoreRecord<SnapshotRow>

export const plugs = collection({
  name: 'plugs',
  row: {} as PlugRow,
  indexes: {
    byOwner: (row) => (row.removed_at === null ? [row.owner, row.created_at] : null),
    /** Removed ones too. */
    madeBy: (row) => [row.owner, row.created_at],
    removedByOwner: (row) => (row.removed_at === null ? null : [row.owner, row.removed_at]),
    removedAt: (row) => (row.removed_at === null ? null : [row.removed_at]),
    /** Those that everybody may see, the newest last. */
    listed: (row) =>
      row.removed_at === null && row.visibility === 'public' ? ['public', row.created_at] : null,
  },
})
export const reservations = collection({
  name: 'reservations',
  row: {} as ReservationRow,
  indexes: {
    waiting: (row) => (row.state === 'reserved' ? [row.owner, row.expires_at] : null),
    byOwner: (row) => [row.owner, row.created_at],
    endedByOwner: (row) => (row.state === 'reserved' ? null : [row.owner, row.created_at]),
    dueAt: (row) => [row.due_at],
  },
})
export const snapshots = collection({
  name: 'snapshots',
  row: {} as SnapshotRow,
  indexes: {
    byPlug: (row) => [row.tool_id, row.seq],
    byVersion: (row) => [row.tool_id, row.version],
    byOwner: (row) => [row.owner, row.tool_id],
  },
  weight: (row) => row.size_bytes,
})

/** The id of one place in the line of a plugin's versions. */
export const snapshotId = (toolId: string, seq: number): string => `${toolId}\n${seq}`

/** What names one version of a plugin in a copy; neither part holds a line break. */
export const versionKey = (toolId: string, version: string): string => `${toolId}\n${version}`
/** Its two parts. */
export function splitVersionKey(key: string): [toolId: string, version: string] {
  const at = key.indexOf('\n')
  return [key.slice(0, at), key.slice(at + 1)]
}
