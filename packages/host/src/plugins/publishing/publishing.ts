import type { Distribution, PluginManifest, Publisher, SnapshotStatus, Visibility } from '@svc/contract'
import type { PlugRecord, PlugType } from '../../catalog/plug-row.ts'
import { type InFlight, openInFlight } from '../../kernel/inflight.ts'
import type { ListQuery } from '../../kernel/list-page.ts'
import { contentOfLive } from '../deployments/content.ts'
import type { KnownPlugin } from '../deployments/plugins.ts'
import type { PluginServices } from '../services.ts'
import type { Changes } from './changes.ts'
import { describePlugin } from './describe.ts'
import { commitDraft, createPlug, mintDraft, sweepDrafts } from './drafts.ts'
import { editPlug, removePlug } from './edit.ts'
import { forgetRemoved } from './forget-plug.ts'
import { ownPlugs, versionsOf, visiblePlugs } from './lists.ts'
import { ownPlug, plugState } from './own-plug.ts'
import type {
  CommitBody,
  CreateBody,
  DescribeBody,
  EditBody,
  MarkBody,
  MintBody,
  PublishBody,
} from './plug-input.ts'
import { previewVersion, publishVersion } from './publish.ts'
import { markVersion } from './snapshots.ts'
import { plugOf, versionOf } from './view.ts'

/** A reserved id, as minting returns it. */
export interface MintedDraft {
  /** What `commit` takes. */
  readonly draft_id: string
  /** The id that the plugin will have. */
  readonly tool_id: string
  /** ISO 8601. */
  readonly expires_at: string
}

/** The state of a plugin on the runners of the user who asks. */
export interface PlugState {
  /** `null`: a skill, which no runner has. */
  readonly status: KnownPlugin['status'] | null
  /** Why it is unavailable, or what is wrong with it, in a sentence. */
  readonly problem: string | null
}

/** A plugin as its owner sees it. Times are ISO 8601. */
export interface PublishedPlug extends PlugState {
  /** The id of the plugin. */
  readonly tool_id: string
  /** Its name. */
  readonly name: string
  /** What kind of plugin it is. */
  readonly type: PlugType
  /** The version that is live. */
  readonly version: string
  /** The manifest that its `describe` returned. */
  readonly manifest: PluginManifest
  /** How it comes onto a machine; `null` where the caller may not see it. */
  readonly distribution: Distribution | null
  /** What of its distribution every kind of it may have; `null` where it has none. */
  readonly distribution_type: Distribution['type'] | null
  /** The package of the distribution, where it has one. */
  readonly package_name: string | null
  /** The program of the distribution, where it names one. */
  readonly executable_name: string | null
  /** Who may use it. */
  readonly visibility: Visibility
  /** The URL of its logo. */
  readonly logo_url: string | null
  /** Its description, Markdown. */
  readonly readme: string | null
  /** Questions that show what it is good for. */
  readonly sample_prompts: readonly string[]
  /** Words by which it is found. */
  readonly tags: readonly string[]
  /** When it was published, RFC 3339 in UTC. */
  readonly created_at: string
  /** When it was changed last, RFC 3339 in UTC. */
  readonly updated_at: string
}

/** A plugin in a list: without its texts, and without the path or package that it comes from. */
export type ListedPlug = Omit<
  PublishedPlug,
  'manifest' | 'distribution' | 'package_name' | 'executable_name' | 'readme'
> & {
  /** The names of its tools. */
  readonly tools: readonly string[]
  /** The names to which its user may give values. */
  readonly variables: readonly string[]
  /** Who published it; `null`: the operator configured it. */
  readonly publisher: Publisher | null
  /** Whether it is the caller's own. */
  readonly own: boolean
  /** Whether the operator configured it: it is everybody's, and nobody edits it. */
  readonly configured: boolean
}

/** A frozen version. */
export interface PublishedVersion {
  /** The id of the plugin. */
  readonly tool_id: string
  /** The version, SemVer. */
  readonly version: string
  /** Whether it is good, deprecated or yanked. */
  readonly status: SnapshotStatus
  /** Why it is not good, as its owner says. */
  readonly reason: string | null
  /** The version to use instead. */
  readonly successor: string | null
  /** When it was published, RFC 3339 in UTC. */
  readonly created_at: string
}

/** What publishing would do: from which version to which, and what is different. */
export interface VersionPreview {
  /** Nothing was written. */
  readonly dry_run: true
  /** `null`: there is none yet. */
  readonly from: string | null
  /** `null`: it would be refused with `no_content_changes`. */
  readonly version: string | null
  /** What would be different. */
  readonly changes: Changes
}

/** One page of what a caller may see. */
export interface PlugPage {
  /** The plugins of this page. */
  readonly plugs: readonly ListedPlug[]
  /** What the next page is asked with; `null` after the last. */
  readonly next_cursor: string | null
}

/** What ends the wait for a plugin that is to be described. */
export interface DescribeOptions {
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Publishing of tool plugins: the programmatic twins of the routes `/plugs/*`. They read their input by the rows.
 * What is not the caller's is `not_found`; a shape that is wrong is `invalid_arg`.
 */
export interface Publishing {
  /** Reserves a `tool_id` for `{name, type, slug?}`, for `DRAFT_LIFETIME_MS`. Errors: `quota_exceeded`. */
  mint(userId: string, input: unknown): Promise<MintedDraft>
  /**
   * Makes the plugin of a draft, once. Errors: `conflict` (committed already), `draft_expired`, `quota_exceeded`,
   * and, without a manifest, those of `describe`. Who aborts the signal before the plugin is described gives it up.
   */
  commit(userId: string, draftId: string, input: unknown, options?: DescribeOptions): Promise<PublishedPlug>
  /** Mints and commits at once. Errors: those of `commit`. */
  create(userId: string, input: unknown, options?: DescribeOptions): Promise<PublishedPlug>
  /**
   * What the plugin of `{distribution}` answers to `describe`, on a runner of the user, as a manifest;
   * `DESCRIBES_PER_USER` at a time. Errors: `agent_unavailable` (none is online), `rate_limited`, those of an install.
   */
  describe(userId: string, input: unknown, options?: DescribeOptions): Promise<{ manifest: PluginManifest }>
  /** The user's own plugins, the newest first, by `{search?, limit?, cursor?}`. Errors: `invalid_arg`. */
  own(userId: string, input?: unknown): Promise<PlugPage>
  /** Reads a plugin that the user may see. Errors: `not_found`. */
  get(userId: string, toolId: string): Promise<PublishedPlug>
  /** Edits the live record; the first promotion past `private` freezes the first version. */
  edit(userId: string, toolId: string, input: unknown): Promise<PublishedPlug>
  /** Removes a plugin, for good; its `tool_id` is never given again. */
  remove(userId: string, toolId: string): Promise<void>
  /**
   * What the user may see, by `{search?, limit?, cursor?}`: the own plugins and those of the operator on the first page, then what
   * others made public, as
   * the newest version that is not yanked. One that is `app_bundled` is listed for its owner alone.
   */
  visible(userId: string, input?: unknown): Promise<PlugPage>
  /**
   * Freezes a version. Errors: `invalid_arg` (such as a package without an exact version), `no_content_changes`,
   * `conflict` (another came first), `quota_exceeded`.
   */
  publish(userId: string, toolId: string, input: unknown): Promise<PublishedVersion>
  /** What `publish` would do with the same input. Errors: `invalid_arg`. */
  preview(userId: string, toolId: string, input: unknown): Promise<VersionPreview>
  /** Every version, the newest first. */
  versions(userId: string, toolId: string): Promise<PublishedVersion[]>
  /** Marks a version `active`, `deprecated` or `yanked`, with `{reason?, successor?}`. */
  mark(userId: string, toolId: string, version: string, input: unknown): Promise<PublishedVersion>
  /** Lets drafts expire, and forgets old ones and plugins that were removed. */
  sweep(): Promise<void>
}

/** Opens publishing over a store; there is nothing to close. What comes in was read by the row of its route. */
export function openPublishing(services: Omit<PublishingParts, 'describing' | 'startedAt'>) {
  const describing = openInFlight(services.limits.DESCRIBES_PER_USER)
  const parts = { ...services, describing, startedAt: services.clock.now() }
  const shown = async (making: Promise<PlugRecord>) => {
    const plug = await making
    const { owner } = plug.row
    return plugOf(plug, await plugState(parts, owner, contentOfLive(plug.id, plug.row, parts.limits)))
  }
  return {
    mint: (userId: string, body: MintBody) => mintDraft(parts, userId, body),
    commit: (userId: string, draftId: string, body: CommitBody, { signal }: DescribeOptions = {}) =>
      shown(commitDraft(parts, userId, draftId, body, signal)),
    create: (userId: string, body: CreateBody, { signal }: DescribeOptions = {}) =>
      shown(createPlug(parts, userId, body, signal)),
    describe: async (userId: string, body: DescribeBody, { signal }: DescribeOptions = {}) => ({
      manifest: await describePlugin(parts, userId, body, signal),
    }),
    own: (userId: string, query: ListQuery) => ownPlugs(parts, userId, query),
    get: (userId: string, toolId: string) => shown(ownPlug(parts, userId, toolId)),
    edit: (userId: string, toolId: string, body: EditBody) => shown(editPlug(parts, userId, toolId, body)),
    remove: (userId: string, toolId: string) => removePlug(parts, userId, toolId),
    visible: (userId: string, query: ListQuery) => visiblePlugs(parts, userId, query),
    publish: async (userId: string, toolId: string, body: PublishBody) =>
      versionOf(await publishVersion(parts, userId, toolId, body)),
    preview: (userId: string, toolId: string, body: PublishBody) =>
      previewVersion(parts, userId, toolId, body),
    versions: async (userId: string, toolId: string) =>
      (await versionsOf(parts, userId, toolId)).map(versionOf),
    mark: async (userId: string, toolId: string, version: string, body: MarkBody) =>
      versionOf(await markVersion(parts, userId, toolId, version, body)),
    async sweep() {
      await sweepDrafts(parts)
      await forgetRemoved(parts)
    },
  }
}

/** Publishing as the routes call it. */
export type OpenPublishing = ReturnType<typeof openPublishing>

/** What publishing needs of the host's services. */
export type PublishingParts = Pick<
  PluginServices,
  'clock' | 'newId' | 'limits' | 'store' | 'copies' | 'settings' | 'published'
> & {
  readonly runners: Pick<PluginServices['runners'], 'online' | 'refresh'>
  readonly plugins: Pick<PluginServices['plugins'], 'of'>
  /** Since when the operator's plugins are there, in Unix ms. */
  readonly startedAt: number
  /** The plugins that are being described, by user. */
  readonly describing: InFlight
}
