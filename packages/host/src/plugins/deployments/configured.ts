import { createHash } from 'node:crypto'
import { canonicalJson } from '@svc/contract/digest'
import { judgeOptions } from '@svc/node/options'
import type { CommandSpec, DescribeOutcome, Runner } from '@svc/runner'
import type { RunnerLink } from '../../machines/runners.ts'
import type { PluginServices } from '../services.ts'
import { openAskAgain } from './ask-again.ts'
import { type ConfiguredPlugin, pluginsRule } from './configured-plugin.ts'
import { problemOf } from './plugin-state.ts'
import type { DescribeWait, KnownPlugin } from './plugins.ts'
import { openRetries } from './retries.ts'
import { openToldTools, type ToolsOwner } from './told-tools.ts'

/** The id of a configured plugin: `tool-local-{slug}-{hash}`, the same for the same command. */
const localId = ({ slug, command }: ConfiguredPlugin) =>
  `tool-local-${slug}-${createHash('sha256').update(JSON.stringify(command)).digest('hex').slice(0, 8)}`

/**
 * The plugins named in `createHost({ plugins })`: every user reaches them, each through processes of its own.
 * They are described at the start, and again after a pause where that fails. Methods are those of `Plugins`.
 */
export function openConfigured(
  configured: readonly ConfiguredPlugin[],
  {
    clock,
    limits,
    log,
    runner,
    link,
    settings,
    onChange,
    onDrop,
  }: Pick<PluginServices, 'clock' | 'limits' | 'log' | 'runner' | 'settings'> & {
    /** The link of that runner. */
    readonly link: RunnerLink | null
    /** Is called with a plugin whose entries in `tools.list` are others now, for one user or for all: its tools, or their status. */
    readonly onChange: (plugin: KnownPlugin, whose?: ToolsOwner) => void
    /** Is called with a plugin that is taken out, or is another now. */
    readonly onDrop: (plugin: KnownPlugin) => void
  },
) {
  const byName = new Map<string, KnownPlugin>()
  const told = openToldTools({ max: limits.PLUG_COPIES_MAX, isOne: settings.harness })
  const again = openAskAgain({ clock, limits }, askAgain)
  /** What each was configured by, as text; in the order of the configuration. */
  let texts = new Map<string, string>()
  const set = (plugin: KnownPlugin) => {
    byName.set(plugin.tool_id, plugin)
    byName.set(plugin.handle, plugin)
  }

  function add(plugin: ConfiguredPlugin): void {
    const { slug, command, cwd, env, protocol, sampling, reach, session, start_ms } = plugin
    const tool_id = localId(plugin)
    const spec: CommandSpec = {
      id: tool_id,
      version: '0.0.0-local',
      command,
      ...(cwd && { cwd }),
      ...(env && { env }),
      ...(protocol && { protocol }),
      ...(sampling && { sampling }),
      ...(reach && { reach }),
      ...(session && { session }),
      ...(start_ms !== undefined && { startMs: start_ms }),
    }
    const { problem } = plugin
    const status = runner && problem === undefined ? 'deploying' : 'unavailable'
    set({
      tool_id,
      handle: slug,
      spec,
      status,
      description: null,
      problem: problem ?? (runner ? null : 'this host has no runner'),
      ...(problem !== undefined && { fault: problem }),
      link,
    })
    if (problem === undefined) describer?.start(tool_id)
  }

  function drop(plugin: KnownPlugin): void {
    byName.delete(plugin.tool_id)
    byName.delete(plugin.handle)
    describer?.forget(plugin.tool_id)
    told.forget(plugin.tool_id)
    again.forget(plugin.tool_id)
    onDrop(plugin)
    onChange(plugin)
  }

  function configure(plugins: readonly ConfiguredPlugin[]): void {
    judgeOptions('configure', pluginsRule, plugins, 'plugins')
    const wanted = new Map(plugins.map((plugin) => [plugin.slug, JSON.stringify(plugin)]))
    for (const plugin of all()) if (wanted.get(plugin.handle) !== texts.get(plugin.handle)) drop(plugin)
    texts = wanted
    for (const plugin of plugins) if (!byName.has(plugin.slug)) add(plugin)
  }

  /** Sets a new state of a plugin that was not taken out, or changed, while it was described. */
  function learn(plugin: KnownPlugin): void {
    if (byName.get(plugin.tool_id)?.spec !== plugin.spec) return
    set(plugin)
    if (plugin.description) onChange(plugin)
  }

  /** Asks a plugin what it is; says whether it told. */
  async function describe(runner: Runner, toolId: string): Promise<boolean> {
    const plugin = byName.get(toolId)
    if (!plugin) return true
    learn({ ...plugin, status: 'deploying' })
    const outcome = await runner.describe(plugin.spec, {}).catch((err: unknown): DescribeOutcome => {
      log.error({ err, plugin: plugin.handle }, 'a runner failed while it described a plugin')
      return { ok: false, code: 'plug_unavailable', message: 'its runner broke down' }
    })
    if (outcome.ok) {
      learn({ ...plugin, status: 'available', description: outcome.description, problem: null })
      return true
    }
    log.warn({ plugin: plugin.handle, code: outcome.code, details: outcome.details }, outcome.message)
    learn({ ...plugin, status: 'unavailable', problem: problemOf(outcome) })
    return false
  }

  /** Asks a plugin that is available once more which tools it has. */
  async function askAgain(toolId: string): Promise<void> {
    const plugin = byName.get(toolId)
    if (!runner || plugin?.status !== 'available') return
    const outcome = await runner.describe(plugin.spec, {}).catch((): null => null)
    if (!outcome?.ok || byName.get(toolId) !== plugin) return
    if (canonicalJson(outcome.description) === canonicalJson(plugin.description)) return
    told.forget(plugin.tool_id)
    learn({ ...plugin, description: outcome.description })
  }

  runner?.onToolsChanged?.((change) => {
    const plugin = byName.get(change.pluginId)
    const whose = plugin?.status === 'available' ? told.take(change, plugin) : null
    if (plugin && whose !== null) onChange(plugin, whose)
  })

  const all = (): readonly KnownPlugin[] => [...texts.keys()].flatMap((slug) => byName.get(slug) ?? [])
  const describer = runner && openRetries({ clock, limits }, (toolId) => describe(runner, toolId))
  configure(configured)

  return {
    configure,
    /** All of them, as a user has them in an app. */
    all: (whose: ToolsOwner): readonly KnownPlugin[] => all().map((plugin) => told.of(plugin, whose)),
    /** The plugin with this `tool_id` or handle, as a user has it in an app; as it was described where nobody is named. */
    find(name: string, whose?: ToolsOwner): KnownPlugin | undefined {
      const plugin = byName.get(name)
      return plugin && told.of(plugin, whose)
    },
    /** Asks it again for its tools, because a call names one that it does not have. */
    again: ({ tool_id }: KnownPlugin, wait: DescribeWait) => again.ask(tool_id, wait),
    async forCall(plugin: KnownPlugin, patience: () => DescribeWait): Promise<KnownPlugin> {
      const { tool_id, status } = plugin
      if (!describer || status === 'available') return plugin
      if (status === 'unavailable') describer.retry(tool_id)
      const now = () => byName.get(tool_id) ?? plugin
      if (now().status === 'deploying') await describer.settled(tool_id, patience())
      return now()
    },
    async ready(): Promise<void> {
      await Promise.all(all().map(({ tool_id }) => describer?.settled(tool_id)))
    },
    sweep: () => describer?.sweep(),
  }
}

export type ConfiguredPlugins = ReturnType<typeof openConfigured>
