import { unagreedProblem, unaskedProblem } from '@svc/contract/browser'
import { publisherOf } from '../../access/users/publishers.ts'
import { plugs } from '../../catalog/plug-row.ts'
import type { RunnerLink } from '../../machines/runners.ts'
import { isPublishedId } from '../publishing/tool-id.ts'
import type { PluginServices } from '../services.ts'
import { consentTo, termsOf, unagreed } from './agreement.ts'
import { choose, type PluginSource, sourceOf } from './choose.ts'
import { contentOfLive, contentOfVersion, type PluginContent } from './content.ts'
import { type DeclaredPlugin, declaredIn } from './declared.ts'
import { openDeployments } from './deployments.ts'
import { needing, withGiven } from './given.ts'
import { notifyChange, notifyLink, notifyStatus, type PluginChange } from './notify.ts'
import { type Deployable, faultyState, isDeployable, type PluginState } from './plugin-state.ts'
import type { BoundPlugin, KnownPlugin, Seeker } from './plugins.ts'
import { type ConsentScope, consentScope, readConsent } from './read-consent.ts'

/**
 * Opens the plugins that users published, as those who may use them reach them. They are installed for who seeks them,
 * and as they are published. See `Plugins` for its methods.
 */
export function openPublished(
  parts: Pick<PluginServices, 'clock' | 'limits' | 'log' | 'store' | 'copies' | 'events' | 'toolSessions'> & {
    readonly runners: Pick<PluginServices['runners'], 'online' | 'onChange' | 'refresh'>
  },
) {
  const { copies, limits, log, runners, store } = parts
  const source = sourceOf(copies)
  const deployments = openDeployments(parts, {
    onStatus: (userId, content) => void notifyStatus(parts, userId, content),
    onLink: (userId, isOther) => void notifyLink(parts, userId, isOther),
  })

  const chosen = (seeker: Seeker, declared: DeclaredPlugin) => choose(source, seeker, declared, limits)
  /**
   * The plugin with what a runner has of it; a skill is not one. Without its user's agreement no runner is asked about
   * it.
   */
  async function found(
    user: ConsentScope,
    { tool_id, handle }: Pick<DeclaredPlugin, 'tool_id' | 'handle'>,
    content: PluginContent | undefined,
    links?: readonly RunnerLink[],
  ): Promise<KnownPlugin | undefined> {
    if (!content?.spec) return undefined
    const { owner, spec, description } = content
    const name = (await copies.plugs.get(tool_id))?.row.name
    const known = { tool_id, handle, owner, spec, description, ...(name !== undefined && { name }) }
    if (!isDeployable(content)) return { ...known, ...faultyState(content) }
    const consent = consentTo(content, user.userId, await readConsent(copies, user))
    if (consent === 'asked' || consent === 'never')
      return { ...known, ...unagreed(content, consent, await publisherOf(copies, owner)) }
    const given = await withGiven(copies, user.userId, content)
    if (given.missing.length > 0)
      return { ...known, ...(await needing(copies, user.userId, content, given.missing)) }
    if (!links) await runners.refresh(user.userId)
    const stands = deployments.look(user.userId, given.content, links)
    return {
      ...known,
      spec: given.content.spec,
      ...stands,
      ...(consent === 'once' && { agreedOnce: termsOf(content).digest }),
    }
  }

  return {
    async of(seeker: Seeker): Promise<readonly KnownPlugin[]> {
      const { userId, version } = seeker
      if (!version) return ownOf(userId)
      const all = declaredIn(version.manifest).all.map(async (one) =>
        found(consentScope(seeker), one, await chosen(seeker, one)),
      )
      return (await Promise.all(all)).filter((one) => one !== undefined)
    },
    async find(seeker: Seeker, name: string): Promise<KnownPlugin | undefined> {
      const declared = meant(seeker, name)
      return declared && found(consentScope(seeker), declared, await chosen(seeker, declared))
    },
    async isSkill(seeker: Seeker, name: string): Promise<boolean> {
      const declared = meant(seeker, name)
      return declared !== undefined && (await chosen(seeker, declared))?.spec === null
    },
    async bound(job: BoundPlugin): Promise<KnownPlugin | undefined> {
      const content = await boundContent(source, job, limits)
      const link = runners.online(job.user_id).filter(({ id }) => id === job.runner_id)
      const { tool_id, user_id: userId, app_id: appId, agreed_once: once } = job
      return found({ userId, appId, window: null, once }, { tool_id, handle: tool_id }, content, link)
    },
    // What it can do is known from its manifest: a call begins at once, and waits in the runner for its install.
    forCall: async (plugin: KnownPlugin): Promise<KnownPlugin> => plugin,
    /** The state of a content on the runners of a user; nothing is installed for it. `null`: a skill. */
    async stateOf(
      userId: string,
      content: PluginContent,
    ): Promise<Pick<PluginState, 'status' | 'problem' | 'stderr'> | null> {
      if (content.spec === null) return null
      if (!isDeployable(content)) return faultyState(content)
      const { missing } = await withGiven(copies, userId, content)
      if (missing.length > 0) return needing(copies, userId, content, missing)
      await runners.refresh(userId)
      const stands = deployments.peek(userId, content)
      const isOthers = content.owner !== userId && stands.problem === unaskedProblem
      return isOthers ? { ...stands, problem: unagreedProblem } : stands
    },
    /** Has runners of a user do nothing more with these plugins of others until an app asks for one again. */
    withdraw(userId: string, toolIds: ReadonlySet<string>): void {
      deployments.forget(
        (user, { tool_id, owner }) => user === userId && owner !== userId && toolIds.has(tool_id),
      )
      parts.toolSessions.endPlugins(toolIds, userId)
    },
    /**
     * Handles each write of publishing: drops copies, installs the live record on its owner's runners, and notifies the
     * windows whose tools changed. Never rejects.
     */
    async changed(change: PluginChange): Promise<void> {
      const live = change.plug.before === change.plug.after ? undefined : moved(change)
      if (live) {
        await runners.refresh(live.owner).catch((err: unknown) => {
          log.warn(
            { err, plugin: change.toolId },
            'a plugin may not have been deployed on every runner of its owner',
          )
        })
        const { content, missing } = await withGiven(copies, live.owner, live)
        if (missing.length === 0) deployments.look(live.owner, content)
      }
      await notifyChange(parts, change)
    },
    /** A user gave a plugin other values: what runs with the old ones is deployed again when it is next asked for. */
    async given(userId: string, contents: readonly PluginContent[]): Promise<void> {
      const [first] = contents
      if (!first) return
      deployments.forget((user, { tool_id }) => user === userId && tool_id === first.tool_id)
      for (const content of contents) await notifyStatus(parts, userId, content)
    },
    sweep: deployments.sweep,
    /** Stops what is being deployed. */
    close: deployments.close,
  }

  /** The live record is another: its copy goes. Returns what its owner's runners get now. */
  function moved({ toolId, plug: { before, after } }: PluginChange): Deployable | undefined {
    copies.plugs.drop(toolId, after ?? undefined)
    const isThere = after !== null && after.row.removed_at === null
    const was = before && contentOfLive(toolId, before.row, limits)
    const is = isThere ? contentOfLive(toolId, after.row, limits) : undefined
    // Machines of others have nothing more to do with it, be it an install under way or a try that is due again.
    if (after?.row.visibility === 'private')
      deployments.forget((userId, { tool_id, owner }) => tool_id === toolId && userId !== owner)
    if (was?.digest === is?.digest) return undefined
    deployments.forget((_, { digest, tool_id }) => (isThere ? digest === was?.digest : tool_id === toolId))
    return isDeployable(is) ? is : undefined
  }

  async function ownOf(userId: string): Promise<KnownPlugin[]> {
    await runners.refresh(userId)
    const own = await store.scan(plugs, 'byOwner', { eq: [userId], limit: limits.PLUGS_PER_USER })
    const all = await Promise.all(
      own.rows.map(({ id, row }) => ownPlugin(row.name, contentOfLive(id, row, limits))),
    )
    return all.filter((one) => one !== undefined)
  }

  async function ownPlugin(name: string, content: PluginContent): Promise<KnownPlugin | undefined> {
    const { tool_id, spec, description, owner } = content
    if (spec === null) return undefined
    const known = { tool_id, handle: tool_id, name, owner, spec, description }
    if (!isDeployable(content)) return { ...known, ...faultyState(content) }
    const given = await withGiven(copies, owner, content)
    if (given.missing.length > 0)
      return { ...known, ...(await needing(copies, owner, content, given.missing)) }
    return { ...known, spec: given.content.spec, ...deployments.peek(owner, content) }
  }
}

export type PublishedPlugins = ReturnType<typeof openPublished>

/** What a name means to a seeker: in an app the plugins that it declares, on a page of its own the user's own. */
function meant({ version }: Seeker, name: string): DeclaredPlugin | undefined {
  if (version) return declaredIn(version.manifest).byName.get(name)
  return isPublishedId(name) ? { tool_id: name, handle: name, version: null } : undefined
}

/** The content that a job was accepted with; a removed plugin has none, nor a live record that was edited since. */
async function boundContent(
  source: PluginSource,
  { tool_id, plugin_version }: BoundPlugin,
  limits: PluginServices['limits'],
): Promise<PluginContent | undefined> {
  const plug = isPublishedId(tool_id) ? await source.plug(tool_id) : null
  if (!plug || plug.row.removed_at !== null) return undefined
  const live = contentOfLive(tool_id, plug.row, limits)
  if (live.spec?.version === plugin_version) return live
  const frozen = await source.version(tool_id, plugin_version)
  return frozen ? contentOfVersion(plug.row.owner, frozen.row, limits) : undefined
}
