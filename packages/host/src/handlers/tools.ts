import { type Handlers, refuse } from '@svc/contract'
import { parseToolName, type ToolName, toolDenial } from '../access/tools.ts'
import type { KnownPlugin } from '../plugins.ts'
import { JsonText } from '../rpc/json-text.ts'
import { objectText } from '../tools/payload.ts'
import { asyncTimeout, holdTimeout, syncTimeout } from '../tools/timeout.ts'
import { when } from '../when.ts'
import type { CallContext } from './context.ts'

/** Handlers of `tools.*` (spec §4.2). */
export const tools: Handlers<'tools', CallContext, JsonText> = {
  list(_args, { house, userId, version }) {
    const reachable = house.plugins
      .of(userId)
      .filter((plugin) => toolDenial(version.manifest, plugin) === null)
    return {
      tools: reachable.flatMap((plugin) =>
        (plugin.description?.tools ?? []).map((tool) => ({
          tool_id: plugin.tool_id,
          plugin_name: plugin.description?.name ?? plugin.handle,
          tool_name: tool.name,
          description: tool.description ?? '',
          input_schema: { ...tool.input_schema },
          status: plugin.status,
        })),
      ),
    }
  },

  async invoke({ tool_id, method, args = {}, timeoutMs }, context) {
    const { house, userId, bodyBytes } = context
    const calledAt = house.clock.now()
    const name = parseToolName(tool_id, method)
    holdTimeout(timeoutMs, house.limits)
    const { runner, known } = reach(name.plugin, context)
    const describing = toolOf(
      name,
      known,
      context,
      calledAt + syncTimeout(timeoutMs, undefined, house.limits).effective,
    )
    const { plugin, tool } = describing instanceof Promise ? await describing : describing
    holdArgs(args, bodyBytes, house.limits.SYNC_PAYLOAD_MAX_BYTES)

    const { effective, clampedFrom } = syncTimeout(timeoutMs, tool, house.limits)
    const outcome = await runner.call({
      userId,
      plugin: plugin.spec,
      tool: name.tool,
      args,
      timeoutMs: effective,
      deadlineMs: calledAt + effective,
      graceMs: house.limits.SYNC_GRACE_MS,
      invokeId: house.newId('invoke'),
      maxResultBytes: house.limits.SYNC_PAYLOAD_MAX_BYTES,
      signal: context.gone(),
    })
    if (outcome.ok) return new JsonText(objectText(outcome.payload, outcome.json))
    throw refuse(outcome.code, outcome.message, {
      ...outcome.details,
      ...(outcome.code === 'tool_timeout' &&
        clampedFrom !== null && {
          timeout_ms: effective,
          requested_timeout_ms: clampedFrom,
          max_timeout_ms: house.limits.SYNC_TIMEOUT_MAX_MS,
        }),
    })
  },

  async invokeAsync({ tool_id, method, args = {}, timeoutMs, clientTag }, context) {
    const { house, userId, window, bodyBytes } = context
    const name = parseToolName(tool_id, method)
    const timeout = asyncTimeout(timeoutMs, house.limits)
    const { known } = reach(name.plugin, context)
    const patientUntil = house.clock.now() + house.limits.SYNC_TIMEOUT_DEFAULT_MS
    const { plugin } = await toolOf(name, known, context, patientUntil)
    holdArgs(args, bodyBytes, house.limits.ASYNC_ARGS_MAX_BYTES)
    const { id, row } = await house.jobs.start({
      ...{ userId, appId: window.row.app_id, plugin, tool: name.tool },
      ...{ args, timeout, clientTag: clientTag ?? null },
    })
    return { jobId: id, state: 'queued', deadlineMs: row.deadline_ms }
  },

  async getJob({ jobId, sinceSeq, limit }, context) {
    return new JsonText(await context.house.jobs.get(jobsOf(context), jobId, { after: sinceSeq, limit }))
  },

  cancelJob: ({ jobId, reason }, context) => context.house.jobs.cancel(jobsOf(context), jobId, reason),

  async listJobs(query, context) {
    return new JsonText(await context.house.jobs.list(jobsOf(context), query))
  },
}

/** The jobs that a window may see: those of its user and app (decision 15). */
const jobsOf = ({ userId, window }: CallContext) => ({ userId, appId: window.row.app_id })

/** The plugin behind a name that the app may use, and the runner that has it (spec §5.5; design §9). */
function reach(name: string, { house, userId, version }: CallContext) {
  const known: KnownPlugin | undefined = house.plugins.find(userId, name)
  const denial = toolDenial(version.manifest, known ?? { tool_id: name, handle: name })
  if (denial !== null)
    throw refuse('permission_denied', `the tool ${JSON.stringify(name)} is not allowed for this app`, {
      denied_by: 'tool',
      hint: denial,
    })
  if (!house.runner || !known)
    throw refuse('agent_unavailable', `no runner of this user has the plugin ${JSON.stringify(name)}`, {
      hint: 'Start a runner that offers it, or name it in createHost({ plugins }).',
    })
  return { known, runner: house.runner }
}

/** The plugin as it is now, and the tool that a call names; waits for a description until `deadlineMs`. */
function toolOf(name: ToolName, known: KnownPlugin, context: CallContext, deadlineMs: number) {
  const ready = context.house.plugins.forCall(known, () => ({ deadlineMs, signal: context.gone() }))
  return when(ready, (plugin) => {
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

/** Arguments have a cap in bytes of JSON (decision 10); a smaller body cannot hold more. */
function holdArgs(args: Record<string, unknown>, bodyBytes: number, max: number): void {
  if (bodyBytes <= max) return
  const size = Buffer.byteLength(JSON.stringify(args))
  if (size > max)
    throw refuse('invalid_arg', `args must have at most ${max} bytes of JSON, got ${size}`, { size, max })
}
