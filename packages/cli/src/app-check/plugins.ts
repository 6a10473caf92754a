import { randomUUID } from 'node:crypto'
import { limits } from '@svc/contract'
import type { PluginDescription, ToolDescription } from '@svc/contract/stdio'
import { createRunner, type IsolationOption, type Runner } from '@svc/runner'
import type { TestTools, ToolCall } from '@svc/testing'
import { isolationNote } from '../host/isolation.ts'
import { describesAsMcp, MCP_KEY_HINT, SPEAKS_MCP } from '../plug-check/speaks-mcp.ts'
import { pluginsOf, type StartedPlugin, specOf } from '../project/plugins-of.ts'
import type { Project } from '../project/project.ts'
import { readPlugs } from '../types/app-types.ts'
import type { StoryTools } from './app-story.ts'
import type { Hold } from './hold.ts'
import { sampleOf } from './sample.ts'

/** The tools that an app gets while it is checked. */
export interface AppTools {
  /** Makes them for a host: their calls wait at its hold. */
  toolsAt(hold: Hold): TestTools
  /** Sentences about plugins that run without isolation, and those that it is without. */
  readonly notes: readonly string[]
  /** Ends the processes of the plugins. */
  close(): Promise<void>
}

type RunTool = (args: Readonly<Record<string, unknown>>, call: ToolCall) => Promise<unknown>
type Plugin = TestTools[string]

/**
 * Finds the tools of the plugins that an app declares: those that its story gives, then those that `svc.plugins` starts,
 * in their own processes. Errors: `config`.
 */
export async function openTools(
  app: Project,
  given: StoryTools,
  { signal, isolation }: { readonly signal: AbortSignal | undefined; readonly isolation: IsolationOption },
): Promise<AppTools> {
  const { declared } = await readPlugs(app)
  const started = new Map(pluginsOf([app]).map((plugin) => [plugin.slug, plugin]))
  const runner = createRunner({ isolation })
  const makers: (readonly [name: string, make: (hold: Hold) => Plugin])[] = []
  const notes: string[] = []
  const walls = isolationNote(runner.isolation)

  async function take({ names, slug }: (typeof declared)[number]): Promise<void> {
    const name = names.find((one) => Object.hasOwn(given, one))
    const plugin = started.get(slug ?? '')
    if (name !== undefined) makers.push([name, (hold) => heldPlugin(given[name] ?? {}, hold)])
    else if (plugin) {
      if (walls !== null && !notes.includes(walls)) notes.push(walls)
      const { slug, problem } = plugin
      if (problem !== undefined) {
        notes.push(`${slug} does not start, so the app is without its tools: ${problem}`)
        return
      }
      const spec = specOf(plugin)
      const told = await runner.describe(spec, { signal })
      if (told.ok) makers.push([slug, (hold) => realPlugin(runner, plugin, told.description, hold)])
      else {
        const why = (await describesAsMcp(runner, spec, signal))
          ? `${SPEAKS_MCP}. ${MCP_KEY_HINT}`
          : told.message
        notes.push(`${slug} does not start, so the app is without its tools: ${why}`)
      }
    } else
      notes.push(
        `nothing starts ${names[0]}, so the app is without its tools: name it in svc.plugins of package.json, or give its tools in svc.check.ts`,
      )
  }
  try {
    await Promise.all(declared.map(take))
  } catch (error) {
    await runner.close()
    throw error
  }
  return {
    toolsAt: (hold) => Object.fromEntries(makers.map(([name, make]) => [name, make(hold)])),
    notes,
    close: () => runner.close(),
  }
}

const VERSION = '0.0.0-local'

/** A plugin whose tools are as they are described, and do what `run` makes of each. */
function described(
  { name, version = VERSION, tools }: PluginDescription,
  runOf: (tool: ToolDescription) => RunTool,
  hold: Hold,
): Plugin {
  const made = tools.map((tool) => {
    const { description, parameters, input_schema, output_schema, timeout_ms, destructive } = tool
    return [
      tool.name,
      {
        ...(description !== undefined && { description }),
        ...(parameters?.length > 0 ? { parameters } : input_schema && { inputSchema: input_schema }),
        ...(output_schema && { outputSchema: output_schema }),
        ...(timeout_ms !== undefined && { timeoutMs: timeout_ms }),
        ...(destructive !== undefined && { destructive }),
        run: held(runOf(tool), hold),
      },
    ] as const
  })
  return { name, version, tools: Object.fromEntries(made) }
}

/** A tool that waits at the hold before it begins. */
const held =
  (run: RunTool, hold: Hold): RunTool =>
  async (args, call) => {
    await hold.pass(call.signal)
    call.signal.throwIfAborted()
    return run(args, call)
  }

/** The tools of a plugin, each call in a process of its own as a job has it, so that its progress is told as well. */
const realPlugin = (
  runner: Runner,
  plugin: StartedPlugin,
  description: PluginDescription,
  hold: Hold,
): Plugin =>
  described(
    description,
    ({ name }) =>
      async (args, call) => {
        const timeoutMs = Math.min(call.remainingMs(), limits.JOB_DEADLINE_MAX_MS)
        const outcome = await runner.job({
          plugin: specOf(plugin),
          userId: '',
          tool: name,
          args,
          jobId: `tjob_${randomUUID()}`,
          timeoutMs,
          // The clock of the host under test is not that of the machine.
          deadlineMs: Date.now() + timeoutMs,
          maxResultBytes: limits.SYNC_PAYLOAD_MAX_BYTES,
          signal: call.signal,
          onStarted: () => undefined,
          onProgress: ({ type, json }) => call.emitProgress(JSON.parse(json), type),
          onDropped: () => undefined,
          onHeartbeat: () => undefined,
        })
        if (outcome.ok) return outcome.payload
        throw new Error(outcome.message)
      },
    hold,
  )

/** A plugin of the story: its tools as functions, or the description of a plugin, whose tools return samples. */
function heldPlugin(given: StoryTools[string], hold: Hold): Plugin {
  if (isDescription(given))
    return described(
      given,
      ({ output_schema }) =>
        async () =>
          sampleOf(output_schema),
      hold,
    )
  const isPlugin = typeof given.name === 'string'
  const tools = Object.entries(isPlugin ? (given.tools as object) : given).map(([name, tool]) => [
    name,
    typeof tool === 'function' ? held(tool, hold) : { ...tool, run: held(tool.run, hold) },
  ])
  return isPlugin ? { ...given, tools: Object.fromEntries(tools) } : Object.fromEntries(tools)
}

const isDescription = (given: StoryTools[string]): given is PluginDescription => Array.isArray(given.tools)
