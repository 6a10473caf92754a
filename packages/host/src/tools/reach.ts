import { refuse } from '@svc/contract'
import type { ToolDescription } from '@svc/contract/stdio'
import type { Runner } from '@svc/runner'
import type { PluginNames, ToolName } from '../access/tools.ts'
import type { Patience } from '../describer.ts'
import type { House } from '../house.ts'
import type { KnownPlugin } from '../plugins.ts'
import { when } from '../when.ts'

/** Who reaches for a tool. */
export interface ToolCaller {
  readonly house: Pick<House, 'limits' | 'newId' | 'plugins' | 'runner' | 'samplings'>
  readonly userId: string
}

/** A plugin that a caller may use, and the runner that has it. */
export interface Reached {
  readonly known: KnownPlugin
  readonly runner: Runner
}

/** A plugin as it is now, and the tool of it that a call names; `undefined` while it is not described. */
export interface FoundTool {
  readonly plugin: KnownPlugin
  readonly tool: ToolDescription | undefined
}

/**
 * The plugin behind a name, where `denial` has nothing against it (spec §5.5; design §9). Errors:
 * `permission_denied`, `agent_unavailable`.
 */
export function reach(
  name: string,
  { house, userId }: ToolCaller,
  denial: (plugin: PluginNames) => string | null,
): Reached {
  const known: KnownPlugin | undefined = house.plugins.find(userId, name)
  const hint = denial(known ?? { tool_id: name, handle: name })
  if (hint !== null)
    throw refuse('permission_denied', `the tool ${JSON.stringify(name)} is not allowed for this app`, {
      denied_by: 'tool',
      hint,
    })
  if (!house.runner || !known)
    throw refuse('agent_unavailable', `no runner of this user has the plugin ${JSON.stringify(name)}`, {
      hint: 'Start a runner that offers it, or name it in createHost({ plugins }).',
    })
  return { known, runner: house.runner }
}

/** Finds the tool that a call names; waits for a description as `patience` says. Errors: `plug_unavailable`, `invalid_arg`. */
export function findTool(
  name: ToolName,
  known: KnownPlugin,
  { house }: ToolCaller,
  patience: () => Patience,
): FoundTool | Promise<FoundTool> {
  return when(house.plugins.forCall(known, patience), (plugin) => {
    if (plugin.status === 'unavailable')
      throw refuse(
        'plug_unavailable',
        `the plugin ${JSON.stringify(name.plugin)} cannot be started: ${plugin.problem}`,
      )
    const tool = plugin.description?.tools.find((one) => one.name === name.tool)
    if (plugin.description && !tool)
      throw refuse(
        'invalid_arg',
        `method ${JSON.stringify(name.tool)} is no tool of ${JSON.stringify(plugin.handle)}`,
        {
          tools: plugin.description.tools.map((one) => one.name),
          hint: 'svc.tools.list() names the tools of each plugin.',
        },
      )
    return { plugin, tool }
  })
}

/** Arguments have a cap in bytes of JSON (decision 10); a body of fewer bytes cannot hold more. Errors: `invalid_arg`. */
export function holdArgs(
  args: Readonly<Record<string, unknown>>,
  max: number,
  bodyBytes = Number.POSITIVE_INFINITY,
): void {
  if (bodyBytes <= max) return
  const size = Buffer.byteLength(JSON.stringify(args))
  if (size > max)
    throw refuse('invalid_arg', `args must have at most ${max} bytes of JSON, got ${size}`, { size, max })
}
