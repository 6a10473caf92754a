import { Refusal } from '@svc/contract'
import type { AuditNote } from '../../access/audit/audit.ts'
import { loggedRefusal, refusalOf } from '../../kernel/refusal-of.ts'
import type { KnownPlugin } from '../../plugins/deployments/plugins.ts'
import type { ToolServices } from '../services.ts'
import { askForConsent } from '../tools/agreed.ts'
import { callPlatformTool, callPluginTool } from './call-tool.ts'
import type { PlatformCall } from './platform-tools.ts'
import type { SessionRecord } from './session-row.ts'
import { clientSeeker } from './submode.ts'
import { checkSubmode, platformDenial, pluginDenial, readRights, type SessionRights } from './tool-rights.ts'
import { describedTo } from './tool-words.ts'

/** How a tool call of a run ended: what the model gets. `output` is an object of JSON. */
export type ToolAnswer =
  | { readonly output: unknown }
  | { readonly error: { readonly code: string; readonly message: string } }

/** A tool as a model sees it: a platform tool by its name, a plugin's as `{tool_id}__{tool}`. */
export interface SessionTool {
  readonly name: string
  /** What a model calls it, as far as its server takes that: `{handle}__{tool}`. */
  readonly short?: string
  readonly description: string
  /** Of a tool of a plugin that says how its tools are to be used. */
  readonly instructions?: { readonly plugin: string; readonly text: string }
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** Calls it; whether this session may is judged again each time. Never rejects but by `signal`, with its reason. */
  call(args: unknown, signal: AbortSignal): Promise<ToolAnswer>
}

/**
 * The tools of a session, resolved now: platform tools, then those of plugins. A plugin that
 * is being described for the first time is waited for, `DESCRIBE_TIMEOUT_MS` at most. Never rejects: a session that
 * its manifest does not allow any more has none. Plugins that the user has not agreed to are left out, and told to
 * `onUnagreed`.
 */
export async function sessionTools(
  services: ToolServices,
  rights: SessionRights,
  onUnagreed: (plugin: KnownPlugin) => void = () => {},
): Promise<readonly SessionTool[]> {
  const { session } = rights
  if (session.row.kind !== 'agent' || !(await isAllowed(services, rights))) return []
  const platform = [...services.platformTools.values()]
    .filter((tool) => platformDenial(tool, rights) === null)
    .map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: tool.inputSchema,
      call: answering(services, session, { target: tool.name }, (args, call) =>
        callPlatformTool(tool, args, call),
      ),
    }))
  const reached = await pluginsOf(services, rights)
  for (const plugin of reached) if (plugin.unagreed) onUnagreed(plugin)
  const plugins = await described(services, reached)
  const tools = [...platform, ...plugins.flatMap((plugin) => toolsOf(services, session, plugin))]
  return tools.slice(0, services.limits.GRANTED_TOOLS_MAX)
}

/** The plugins that a session may use: the one that is its fixed client, else those of its app. */
async function pluginsOf({ plugins }: ToolServices, rights: SessionRights): Promise<KnownPlugin[]> {
  const { session, version } = rights
  const { fixed_client_id: client, user_id: userId } = session.row
  const found =
    client === null
      ? await plugins.of({ userId, version, window: windowOf(session) })
      : [await plugins.find(clientSeeker(userId, version, client), client)]
  return found.flatMap((plugin) => (plugin && pluginDenial(plugin, rights) === null ? [plugin] : []))
}

/**
 * The tools of a run: the page gets the plugins that its user has not agreed to, because a model cannot call what it is
 * not shown.
 */
export const runTools = (services: ToolServices, rights: SessionRights): Promise<readonly SessionTool[]> =>
  sessionTools(services, rights, (plugin) => {
    const { session, version } = rights
    askForConsent({ services, userId: session.row.user_id, version, window: windowOf(session) }, plugin)
  })

const windowOf = ({ row: { window_uuid: id } }: SessionRecord) => (id === null ? null : { id })

async function isAllowed(services: ToolServices, rights: SessionRights): Promise<boolean> {
  try {
    await checkSubmode(services, rights)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** The plugins that say what they are; one that cannot be started, or takes too long to say, is left out. */
async function described({ clock, limits, plugins }: ToolServices, known: readonly KnownPlugin[]) {
  if (known.length === 0) return known
  const patience = {
    deadlineMs: clock.now() + limits.DESCRIBE_TIMEOUT_MS,
    signal: new AbortController().signal,
  }
  const asked = known.map((plugin) =>
    plugin.status === 'deploying' && !plugin.description ? plugins.forCall(plugin, () => patience) : plugin,
  )
  return (await Promise.all(asked)).filter((plugin) => plugin.status !== 'unavailable')
}

function toolsOf(services: ToolServices, session: SessionRecord, plugin: KnownPlugin): SessionTool[] {
  const { handle, description } = plugin
  const text = description?.instructions
  return (description?.tools ?? []).map((tool) => {
    const at = { plugin: plugin.tool_id, tool: tool.name }
    const named = { target: plugin.tool_id, method: tool.name }
    return {
      name: `${plugin.tool_id}__${tool.name}`,
      short: `${handle}__${tool.name}`,
      description: describedTo(tool),
      ...(text !== undefined && { instructions: { plugin: handle, text } }),
      inputSchema: { type: 'object', ...tool.input_schema },
      call: answering(services, session, named, (args, call) => callPluginTool(at, args, call)),
    }
  })
}

/** A call that reads the rights of the session again, and returns to the model what went wrong instead of throwing. */
function answering(
  services: ToolServices,
  session: SessionRecord,
  named: Pick<AuditNote, 'target' | 'method'>,
  work: (args: unknown, call: PlatformCall) => Promise<unknown>,
): SessionTool['call'] {
  const { user_id: userId, app_id, window_uuid } = session.row
  return async (args, signal) => {
    const startedAt = services.clock.now()
    const note = (outcome: string) =>
      services.audit.note('tool.call', userId, outcome, {
        app_id,
        ...(window_uuid !== null && { window_uuid }),
        app_session_uuid: session.id,
        ...named,
        ms: services.clock.now() - startedAt,
      })
    try {
      signal.throwIfAborted()
      const rights = await readRights(services, session)
      const output = await work(args, { services, rights, signal })
      note('ok')
      return { output }
    } catch (err) {
      const isCutOff = signal.aborted && !(err instanceof Refusal)
      note(isCutOff ? 'cancelled' : refusalOf(err).code)
      signal.throwIfAborted()
      const about = { ...named, session: session.id }
      const { code, message } = loggedRefusal(services.log, err, 'a tool of a session failed', about)
      return { error: { code, message } }
    }
  }
}
