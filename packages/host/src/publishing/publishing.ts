import type { Distribution, PluginManifest, SnapshotStatus, Visibility } from '@svc/contract'
import type { KnownPlugin } from '../plugins/plugins.ts'
import type { Changes } from './changes.ts'
import type { PlugType } from './plug-row.ts'

/** A reserved id, as minting answers it. */
export interface MintedDraft {
  readonly draft_id: string
  readonly tool_id: string
  /** ISO 8601. */
  readonly expires_at: string
}

/** How a plugin stands with the runners of who asks. */
export interface PlugStanding {
  /** `null`: a skill, which no runner has. */
  readonly status: KnownPlugin['status'] | null
  /** Why it is unavailable, or what is wrong with it, in a sentence. */
  readonly problem: string | null
}

/** A plugin as its owner sees it (spec §2.12). Times are ISO 8601. */
export interface PublishedPlug extends PlugStanding {
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
  readonly created_at: string
  readonly updated_at: string
}

/** A plugin in a list: without its texts, and without the path or package that it comes from. */
export type ListedPlug = Omit<PublishedPlug, 'manifest' | 'distribution' | 'readme'> & {
  readonly distribution_type: Distribution['type'] | null
  /** The names of its tools. */
  readonly tools: readonly string[]
  /** Whether it is the caller's own. */
  readonly own: boolean
}

/** A frozen version. */
export interface PublishedVersion {
  readonly tool_id: string
  readonly version: string
  readonly status: SnapshotStatus
  readonly reason: string | null
  readonly successor: string | null
  readonly created_at: string
}

/** What publishing would do: from which version to which, and what is different. */
export interface VersionPreview {
  readonly dry_run: true
  /** `null`: there is none yet. */
  readonly from: string | null
  /** `null`: it would be refused with `no_content_changes`. */
  readonly version: string | null
  readonly changes: Changes
}

/** One page of what a caller may see. */
export interface PlugPage {
  readonly plugs: readonly ListedPlug[]
  readonly next_cursor: string | null
}

/**
 * Publishing of tool plugins: the routes `/plugs/*` of design §9 and their programmatic twins. Inputs are judged here.
 * What is not the caller's is `not_found`; a shape that is wrong is `invalid_arg`.
 */
export interface Publishing {
  /** Reserves a `tool_id` for `{name, type, slug?}`, for `DRAFT_LIFETIME_MS`. Errors: `quota_exceeded`. */
  mint(userId: string, input: unknown): Promise<MintedDraft>
  /**
   * Makes the plugin of a draft, once. Errors: `conflict` (committed already), `draft_expired`, `quota_exceeded`,
   * and, without a manifest, those of `describe`.
   */
  commit(userId: string, draftId: string, input: unknown): Promise<PublishedPlug>
  /** Mints and commits at once. Errors: those of `commit`. */
  create(userId: string, input: unknown): Promise<PublishedPlug>
  /**
   * What the plugin of `{distribution}` answers to `describe`, on a runner of the user, as a manifest;
   * `DESCRIBES_PER_USER` at a time. Errors: `agent_unavailable` (none is online), `rate_limited`, those of an install.
   */
  describe(
    userId: string,
    input: unknown,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<{ manifest: PluginManifest }>
  /** The user's own plugins, the newest first. */
  own(userId: string): Promise<ListedPlug[]>
  get(userId: string, toolId: string): Promise<PublishedPlug>
  /** Edits the live record; the first promotion past `private` freezes the first version. */
  edit(userId: string, toolId: string, input: unknown): Promise<PublishedPlug>
  /** Takes a plugin away; its `tool_id` is never given again, its versions stay frozen. */
  remove(userId: string, toolId: string): Promise<void>
  /**
   * What the user may see, by `{limit?, cursor?}`: the own plugins on the first page, then what others made public, as
   * the newest version that is not yanked. One that is `app_bundled` is listed for its owner alone.
   */
  visible(userId: string, input?: unknown): Promise<PlugPage>
  /** Freezes a version. Errors: `no_content_changes`, `conflict` (another came first), `quota_exceeded`. */
  publish(userId: string, toolId: string, input: unknown): Promise<PublishedVersion>
  /** What `publish` would do with the same input. Errors: `invalid_arg`. */
  preview(userId: string, toolId: string, input: unknown): Promise<VersionPreview>
  /** Every version, the newest first. */
  versions(userId: string, toolId: string): Promise<PublishedVersion[]>
  /** Marks a version `active`, `deprecated` or `yanked`, with `{reason?, successor?}`. */
  mark(userId: string, toolId: string, version: string, input: unknown): Promise<PublishedVersion>
  /** Lets drafts expire, and forgets old ones. */
  sweep(): Promise<void>
}
