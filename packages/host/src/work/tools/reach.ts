import { didYouMean, refuse, wrongArg } from '@svc/contract'
import type { ToolDescription } from '@svc/contract/stdio'
import type { PluginNames, ToolName } from '../../access/manifest.ts'
import { jsonOf } from '../../kernel/json.ts'
import type { RunnerLink } from '../../machines/runners.ts'
import type { DescribeWait, KnownPlugin, SeekersVersion } from '../../plugins/deployments/plugins.ts'
import type { WorkServices } from '../services.ts'
import { checkAgreed } from './agreed.ts'

/** Who reaches for a tool. */
export interface ToolCaller {
  readonly services: Pick<
    WorkServices,
    'limits' | 'newId' | 'plugins' | 'runners' | 'samplings' | 'events' | 'toolSessions'
  >
  readonly userId: string
  /** The app's version, whose plugs count; `null`: the user's own plugins. */
  readonly version: SeekersVersion | null
  /** The window that it calls for; `null`: none. */
  readonly window: { readonly id: string } | null
}

/** A plugin that a caller may use, with a runner that is online. */
export type ReachedPlugin = KnownPlugin & { readonly link: RunnerLink }

/** A plugin as it is now, and the tool of it that a call names. */
export interface FoundTool {
  readonly plugin: ReachedPlugin
  readonly tool: ToolDescription
}

/**
 * The plugin behind a name, where `denial` has nothing against it and its user has agreed to it. Errors:
 * `permission_denied`, `agent_unavailable`, `plug_unavailable` (what is stored of it is wrong), `invalid_arg` (a skill).
 */
export async function reach(
  name: string,
  caller: ToolCaller,
  denial: (plugin: PluginNames & Pick<KnownPlugin, 'owner'>) => string | null,
): Promise<ReachedPlugin> {
  const { services, userId, version, window } = caller
  const seeker = { userId, version, window }
  const known = await services.plugins.find(seeker, name)
  const hint = denial(known ?? { tool_id: name, handle: name })
  /** The nearest of the plugins that the caller may use. */
  const meant = async () => {
    const all = await services.plugins.of(seeker)
    const names = all.flatMap((one) => (denial(one) === null ? [one.handle, one.tool_id] : []))
    return didYouMean(name, names)
  }
  const denied = `the tool ${JSON.stringify(name)} is not allowed for this app`
  if (hint !== null)
    throw refuse('permission_denied', denied + (known ? '' : await meant()), { denied_by: 'tool', hint })
  if (known?.fault !== undefined) throw cannotStart(name, known.fault)
  if (known) checkAgreed(caller, known)
  else if (await services.plugins.isSkill(seeker, name)) throw aSkill(name)
  if (known?.needs) throw needsValues(known, known.needs)
  if (known?.link) return online(name, known)
  throw known
    ? offline(name, known.owner === undefined ? NO_RUNNER : await machineHint(caller))
    : offline(name, NOBODY, await meant())
}

const cannotStart = (name: string, problem: string | null) =>
  refuse('plug_unavailable', `the plugin ${JSON.stringify(name)} cannot be started: ${problem}`)

const needsValues = ({ tool_id, problem }: KnownPlugin, missing: readonly string[]) =>
  refuse('plug_unavailable', problem ?? '', {
    missing,
    hint: `Its user gives them: on the page under Manage, by svc plug set ${tool_id} ${missing[0]}, or by PUT /plugs/${tool_id}/variables.`,
  })

const aSkill = (name: string) =>
  refuse('invalid_arg', `${JSON.stringify(name)} is a skill: it has a README and no process to call`, {
    hint: 'Call a plugin of type "tool"; svc.tools.list() names those of this app.',
  })

function online(name: string, known: KnownPlugin): ReachedPlugin {
  if (known.link) return { ...known, link: known.link }
  throw offline(name, known.owner === undefined ? NO_RUNNER : ENROL)
}

const offline = (name: string, hint: string, meant = '') =>
  refuse('agent_unavailable', `no runner of this user has the plugin ${JSON.stringify(name)}${meant}`, {
    hint,
  })

/** What a user without a machine that is online does: starts the one that was there last, or enrols one. */
async function machineHint({ services, userId }: ToolCaller): Promise<string> {
  const machines = await services.runners.list(userId)
  const seen = ({ last_seen_at }: (typeof machines)[number]) => last_seen_at ?? ''
  const [last] = machines.toSorted((a, b) => (seen(a) < seen(b) ? 1 : -1))
  if (!last) return ENROL
  const since =
    last.last_seen_at === null
      ? 'has never connected'
      : `is offline since ${last.last_seen_at.slice(0, 'yyyy-mm-ddThh:mm'.length).replace('T', ' ')} UTC`
  return `Your machine ${JSON.stringify(last.name)} ${since}: start svc runner on it.`
}

/** What the operator configured runs beside the host, and on no machine of a user. */
const NO_RUNNER = 'The operator started this host without a runner, so it runs no tools of its own.'

/** A host elsewhere runs what users publish on their own machines alone. */
const ENROL =
  'Enrol a machine: on the page under Manage, Runners, or by POST /api/v1/svc-apps/runners; then start svc runner on it.'

/** What is hidden from a user reads as what nobody has. */
const NOBODY =
  'Look at the name: this user can reach no such plugin. The operator of a host configures plugins (svc dev takes those of svc.plugins in the package.json of an app); who published one says who may have it.'

/**
 * Finds the tool that a call names; waits for a description as `patience` says. Errors: `plug_unavailable`,
 * `agent_unavailable` (its runner went meanwhile), `invalid_arg`, `cancelled`.
 */
export async function findTool(
  name: ToolName,
  known: KnownPlugin,
  { services, userId, version }: ToolCaller,
  patience: () => DescribeWait,
): Promise<FoundTool> {
  const plugin = await services.plugins.forCall(known, patience)
  if (plugin.status === 'unavailable') throw cannotStart(name.plugin, plugin.problem)
  // What it marks as destructive is not known: nobody could be asked about it.
  if (!plugin.description)
    throw refuse(
      'plug_unavailable',
      `the plugin ${JSON.stringify(name.plugin)} has not described itself yet`,
      {
        retriable: true,
        hint: 'Call again in a moment. svc.tools.list() says when it is available.',
      },
    )
  const named = (one: KnownPlugin) => one.description?.tools.find((tool) => tool.name === name.tool)
  const tool = named(plugin)
  if (tool) return { plugin: online(name.plugin, plugin), tool }
  // It may have more tools than when it was asked last.
  const now = (await services.plugins.again(plugin, { userId, version }, patience)) ?? plugin
  const added = named(now)
  const tools = now.description?.tools.map((one) => one.name) ?? []
  if (!added)
    throw wrongArg(
      'method',
      `${JSON.stringify(name.tool)} is not a tool of ${JSON.stringify(plugin.handle)}${didYouMean(name.tool, tools)}`,
      {
        tools,
        hint: 'svc.tools.list() names the tools of each plugin.',
      },
    )
  return { plugin: online(name.plugin, now), tool: added }
}

/** Arguments have a cap in bytes of JSON; a body of fewer bytes cannot hold more. Errors: `invalid_arg`. */
export function checkArgs(
  args: Readonly<Record<string, unknown>>,
  max: number,
  bodyBytes = Number.POSITIVE_INFINITY,
): void {
  if (bodyBytes <= max) return
  const size = Buffer.byteLength(jsonOf(args))
  if (size > max) throw wrongArg('args', `must have at most ${max} bytes of JSON, got ${size}`, { size, max })
}
