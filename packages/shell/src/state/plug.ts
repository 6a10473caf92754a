import type { Distribution, PluginManifest, Publisher, SnapshotStatus, Visibility } from '@svc/contract'

/** Whether a plugin is a process with tools, or a manifest and a README. */
export type PlugType = 'tool' | 'skill'

/** How a plugin stands on the user's runners, and why it is not available. */
export interface Standing {
  readonly status?: 'available' | 'deploying' | 'unavailable' | null
  readonly problem?: string | null
  /** Whether it is the operator's: the host runs it itself. */
  readonly configured?: boolean
}

/** A plugin in a list. Times are ISO 8601. */
export interface ListedPlug extends Standing {
  readonly tool_id: string
  readonly name: string
  readonly type: PlugType
  readonly version: string
  readonly visibility: Visibility
  readonly tags: readonly string[]
  readonly distribution_type: Distribution['type'] | null
  /** The names of its tools. */
  readonly tools: readonly string[]
  readonly own: boolean
  /** Who published it; `null`: the operator configured it; absent: the host does not tell. */
  readonly publisher?: Publisher | null
  readonly updated_at: string
}

/** A plugin as its owner sees it. */
export interface OwnPlug extends Standing {
  readonly tool_id: string
  readonly name: string
  readonly type: PlugType
  readonly version: string
  readonly manifest: PluginManifest
  readonly distribution: Distribution | null
  readonly visibility: Visibility
  readonly logo_url: string | null
  readonly readme: string | null
  readonly sample_prompts: readonly string[]
  readonly tags: readonly string[]
  readonly updated_at: string
}

/** A plugin as the list of its owner has it. */
export const listedOf = ({ distribution, manifest, ...plug }: OwnPlug): ListedPlug => ({
  ...plug,
  distribution_type: distribution?.type ?? null,
  tools: manifest.tools.map(({ name }) => name),
  own: true,
})

/** A frozen version. */
export interface PlugVersion {
  readonly version: string
  readonly status: SnapshotStatus
  readonly reason: string | null
  readonly successor: string | null
  readonly created_at: string
}

/** Where two versions differ, as readable paths. */
export interface Changes {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
  readonly truncated: boolean
}

/** What publishing would do. */
export interface VersionPreview {
  /** `null`: there is no version yet. */
  readonly from: string | null
  /** `null`: nothing is different, and it would be refused. */
  readonly version: string | null
  readonly changes: Changes
}

/** A reserved id. */
export interface MintedDraft {
  readonly draft_id: string
  readonly tool_id: string
  /** ISO 8601. */
  readonly expires_at: string
}
