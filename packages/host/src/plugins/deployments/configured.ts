import { createHash } from 'node:crypto'
import { explain, type Reach, reachSchema } from '@svc/contract'
import type { CommandSpec, DescribeOutcome, Runner } from '@svc/runner'
import type { RunnerLink } from '../../machines/runners.ts'
import type { PluginServices } from '../services.ts'
import type { DescribeWait, KnownPlugin } from './plugins.ts'
import { openRetries } from './retries.ts'

/** A plugin that the operator configured: `createHost({ plugins })`. */
export interface ConfiguredPlugin {
  /** The handle by which manifests name it: lower-case letters, digits and dashes. */
  readonly slug: string
  /** Program and arguments; never a shell line. */
  readonly command: readonly [string, ...string[]]
  /** The folder that it starts in. */
  readonly cwd?: string
  /** Environment variables beside the runner's own short list. */
  readonly env?: Readonly<Record<string, string>>
  /** What it speaks on its stdio: the plugin wire where left out, or MCP. */
  readonly protocol?: 'svc' | 'mcp'
  /** Whether an MCP server may ask the host for completions, charged to the user of the call; no where left out. */
  readonly sampling?: boolean
  /** The hosts and folders that it reaches behind walls, beside its own files; nothing where left out. */
  readonly reach?: Reach
}

const SLUG = /^[a-z0-9](-?[a-z0-9])*$/

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
    onChange,
  }: Pick<PluginServices, 'clock' | 'limits' | 'log' | 'runner'> & {
    /** The link of that runner. */
    readonly link: RunnerLink | null
    /** Is called with a plugin whose entries in `tools.list` are others now: its tools, or their status. */
    readonly onChange: (plugin: KnownPlugin) => void
  },
) {
  const byName = new Map<string, KnownPlugin>()
  /** What each was configured by, as text; in the order of the configuration. */
  let texts = new Map<string, string>()
  const set = (plugin: KnownPlugin) => {
    byName.set(plugin.tool_id, plugin)
    byName.set(plugin.handle, plugin)
  }

  function add(plugin: ConfiguredPlugin): void {
    const { slug, command, cwd, env, protocol, sampling, reach } = plugin
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
    }
    const status = runner ? 'deploying' : 'unavailable'
    set({
      tool_id,
      handle: slug,
      spec,
      status,
      description: null,
      problem: runner ? null : 'this host has no runner',
      link,
    })
    describer?.start(tool_id)
  }

  function drop(plugin: KnownPlugin): void {
    byName.delete(plugin.tool_id)
    byName.delete(plugin.handle)
    describer?.forget(plugin.tool_id)
    onChange(plugin)
  }

  function configure(plugins: readonly ConfiguredPlugin[]): void {
    check(plugins)
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
    learn({ ...plugin, status: 'unavailable', problem: outcome.message })
    return false
  }

  const all = (): readonly KnownPlugin[] => [...texts.keys()].flatMap((slug) => byName.get(slug) ?? [])
  const describer = runner && openRetries({ clock, limits }, (toolId) => describe(runner, toolId))
  configure(configured)

  return {
    configure,
    all,
    /** The plugin with this `tool_id` or handle. */
    find: (name: string): KnownPlugin | undefined => byName.get(name),
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

/** Refuses a list that cannot be: a slug, a command or a protocol that is not one, a slug that is listed twice. */
function check(plugins: readonly ConfiguredPlugin[]): void {
  const slugs = new Set<string>()
  for (const { slug, command, protocol, reach = {} } of plugins) {
    if (!SLUG.test(slug) || command.length === 0)
      throw new Error(
        `plugins: slug must be lower-case letters, digits and dashes with a command, got ${JSON.stringify(slug)}`,
      )
    if (protocol !== undefined && protocol !== 'svc' && protocol !== 'mcp')
      throw new Error(`plugins: protocol of ${slug} must be svc or mcp, got ${JSON.stringify(protocol)}`)
    const reached = reachSchema.safeParse(reach)
    if (!reached.success)
      throw new Error(`plugins: the reach of ${slug} is wrong: ${explain(reached.error, reach)}`)
    if (slugs.has(slug)) throw new Error(`plugins: the slug ${JSON.stringify(slug)} is listed twice`)
    slugs.add(slug)
  }
}
