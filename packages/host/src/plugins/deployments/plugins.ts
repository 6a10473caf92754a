import type { Manifest, PlugTerms } from '@svc/contract'
import type { PluginDescription } from '@svc/contract/stdio'
import type { PluginSpec } from '@svc/runner'
import type { RunnerLink } from '../../machines/runners.ts'
import type { ConfiguredPlugins } from './configured.ts'
import type { ConfiguredPlugin } from './configured-plugin.ts'
import type { PublishedPlugins } from './published.ts'
import type { ToolsOwner } from './told-tools.ts'

/** A plugin that a user can reach, as the tools of an app see it. */
export interface KnownPlugin {
  /** The id of the plugin: what apps call it by. */
  readonly tool_id: string
  /** The short name that a manifest may use in place of the id; the id itself where it has none. */
  readonly handle: string
  /** What its author published it as; left out: the operator configured it. */
  readonly name?: string
  /** What a runner needs to start it. */
  readonly spec: PluginSpec
  /** `available` where a runner has it ready, `deploying` while it is installed or described, else `unavailable`. */
  readonly status: 'available' | 'deploying' | 'unavailable'
  /** What it can do: what `describe` returned, or the manifest of the version; `null` until it is known. */
  readonly description: PluginDescription | null
  /** Why it is unavailable, in a sentence for the log and the shell. */
  readonly problem: string | null
  /** What its process said last on stderr when it ended: for whoever owns it, and for no app. */
  readonly stderr?: string
  /** The runner that has it, or that will; of several the one with the fewest busy places. `null`: none is online. */
  readonly link: RunnerLink | null
  /** The online runners that have it ready, where there are several: a job is bound to one of them. */
  readonly links?: readonly RunnerLink[]
  /** Who published it; left out: the operator configured it, and it is everybody's. */
  readonly owner?: string
  /** What is wrong with what is stored of it: it never runs. */
  readonly fault?: string
  /** Names of variables that its user must give values first: no runner is asked about it. */
  readonly needs?: readonly string[]
  /** Its user has not agreed to it: it is on no machine, and cannot be called. */
  readonly unagreed?: MissingConsent
  /** The digest of the terms that its user agreed to for the window of the seeker alone. */
  readonly agreedOnce?: string
}

/** What a plugin is called wherever a user reads of it: as it was published, else what it calls itself. */
export const nameOf = ({
  name,
  description,
  handle,
}: Pick<KnownPlugin, 'name' | 'description' | 'handle'>): string => name ?? description?.name ?? handle

/** Why a plugin may not run, and what its user would agree to. */
export interface MissingConsent {
  /** `asked`: the user can be asked; `never`: the user has refused it for good. */
  readonly consent: 'asked' | 'never'
  /** What the user would agree to. */
  readonly terms: PlugTerms
}

/** The version of an app that looks for a plugin. */
export interface SeekersVersion {
  /** The app that it is a version of. */
  readonly app_id: string
  /** SemVer, or `draft` for the working draft. */
  readonly version: string
  /** Its manifest, which declares the plugins that it may reach. */
  readonly manifest: Manifest
  /** Of a release: by its `tool_id` the version of each published plugin that it keeps. */
  readonly pins?: Readonly<Record<string, string>>
}

/** Who looks for a plugin: a user, in an app at a version, or `null` on a page of its own. */
export interface Seeker {
  /** The user whose windows call. */
  readonly userId: string
  /** The version of the app; `null`: a page of its own. */
  readonly version: SeekersVersion | null
  /** The window that it is for: what the user agreed to there alone counts too. */
  readonly window?: {
    /** Its uuid. */
    readonly id: string
  } | null
}

/** How long a call waits for a description: to an absolute Unix time in ms, and while its caller is there. */
export interface DescribeWait {
  /** Until when, Unix ms. */
  readonly deadlineMs: number
  /** Fires when the caller has gone. */
  readonly signal: AbortSignal
}

/** The plugins of this host: those of its configuration, and what users published. */
export interface Plugins {
  /** Every plugin that the seeker can reach: for an app, of the published ones those that its manifest declares. */
  of(seeker: Seeker): Promise<readonly KnownPlugin[]>
  /** The plugin with this `tool_id` or handle; one that the seeker may not see is `undefined`, like none. */
  find(seeker: Seeker, toolIdOrHandle: string): Promise<KnownPlugin | undefined>
  /** Whether a name means a skill that the seeker may see: it has no process, so `find` does not give it. */
  isSkill(seeker: Seeker, toolIdOrHandle: string): Promise<boolean>
  /** The plugin that a job was accepted with, at that version, on the runner with that id. */
  bound(job: BoundPlugin): Promise<KnownPlugin | undefined>
  /**
   * The plugin as a call finds it. One that could not be described is tried again, at most once every
   * `DESCRIBE_RETRY_MS`; a call waits for a description that is under way, because it says which tools there are
   * and how long they may take. When its patience ends first, the plugin is still `deploying`.
   */
  forCall(plugin: KnownPlugin, patience: () => DescribeWait): Promise<KnownPlugin>
  /**
   * The plugin with the tools that it has now, asked again because a call names one that it does not have, at most once every
   * `DESCRIBE_AGAIN_MS`; `undefined` where it is not asked: the tools of a published plugin are those of its manifest.
   */
  again(plugin: KnownPlugin, seeker: Seeker, patience: () => DescribeWait): Promise<KnownPlugin | undefined>
  /** Calls a listener for each configured plugin whose tools, or whose status, changed. */
  onChange(listener: (plugin: KnownPlugin) => void): void
  /**
   * Takes another list of configured plugins in place of the one before: those that are the same continue, the others
   * are added or removed, and windows are notified that their tools changed.
   */
  configure(plugins: readonly ConfiguredPlugin[]): void
  /** Waits until every configured plugin that is being described was described or has failed. */
  ready(): Promise<void>
  /** Tries plugins again that could not be described. The sweeper calls it; it waits for nothing. */
  sweep(): void
}

/** What a job remembers of its plugin. */
export interface BoundPlugin {
  /** The user of the job. */
  readonly user_id: string
  /** The id of the plugin. */
  readonly tool_id: string
  /** The version that it was accepted with. */
  readonly plugin_version: string
  /** The runner that it was accepted on. */
  readonly runner_id: string
  /** The app that started it. */
  readonly app_id: string
  /** The terms of it that the user agreed to for the window of the call alone; `null`: the install says more. */
  readonly agreed_once: string | null
}

/**
 * The plugins of a host: those of the configuration first, because they are there at once. `listeners` are called by who
 * opened those.
 */
export function openPlugins(
  configured: ConfiguredPlugins,
  published: PublishedPlugins,
  listeners: ((plugin: KnownPlugin) => void)[],
): Plugins {
  const isConfigured = ({ tool_id }: KnownPlugin) => configured.find(tool_id) !== undefined
  return {
    async of(seeker) {
      const found = await published.of(seeker)
      return [...configured.all(ownerOf(seeker)), ...found]
    },
    find: async (seeker, name) => configured.find(name, ownerOf(seeker)) ?? published.find(seeker, name),
    isSkill: async (seeker, name) => configured.find(name) === undefined && published.isSkill(seeker, name),
    bound: async (job) =>
      configured.find(job.tool_id, { userId: job.user_id, appId: job.app_id }) ?? published.bound(job),
    async again(plugin, seeker, patience) {
      if (!isConfigured(plugin)) return undefined
      await configured.again(plugin, patience())
      return configured.find(plugin.tool_id, ownerOf(seeker))
    },
    forCall: (plugin, patience) => (isConfigured(plugin) ? configured : published).forCall(plugin, patience),
    onChange: (listener) => void listeners.push(listener),
    configure: configured.configure,
    ready: configured.ready,
    sweep() {
      configured.sweep()
      published.sweep()
    },
  }
}

const ownerOf = ({ userId, version }: Seeker): ToolsOwner => ({ userId, appId: version?.app_id })
