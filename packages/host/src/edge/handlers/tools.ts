import { type Handlers, refuse } from '@svc/contract'
import { type PluginNames, parseToolName, toolDenial } from '../../access/manifest.ts'
import { JsonText } from '../../kernel/json.ts'
import type { ApprovalOrder } from '../../plugins/approvals/approvals.ts'
import { listTools } from '../../plugins/deployments/entries.ts'
import { callNow } from '../../work/tools/call-now.ts'
import { objectText } from '../../work/tools/payload.ts'
import { checkArgs, findTool, reach } from '../../work/tools/reach.ts'
import { asyncTimeout, checkTimeout, syncTimeout } from '../../work/tools/timeout.ts'
import type { CallContext } from './context.ts'

/** Handlers of `tools.*`. */
export const tools: Handlers<'tools', CallContext, JsonText> = {
  list: async (_args, context) => ({ tools: await listTools(context.services, context) }),

  async invoke({ tool_id, method, args = {}, timeoutMs }, context) {
    const { services, bodyBytes, window, origin } = context
    const calledAt = services.clock.now()
    const name = parseToolName(tool_id, method)
    checkTimeout(timeoutMs, services.limits)
    const known = await reach(name.plugin, context, denialOf(context))
    const patientUntil = calledAt + syncTimeout(timeoutMs, undefined, services.limits).effective
    const { plugin, tool } = await findTool(name, known, context, patience(context, patientUntil))
    checkArgs(args, services.limits.SYNC_PAYLOAD_MAX_BYTES, bodyBytes)

    const { effective, clampedFrom } = syncTimeout(timeoutMs, tool, services.limits)
    await services.approvals.waitForApproval(orderOf(context, { plugin, tool, args }, calledAt + effective))
    const outcome = await callNow(context, {
      plugin,
      tool: name.tool,
      args,
      calledAt,
      timeoutMs: effective,
      maxResultBytes: services.limits.SYNC_PAYLOAD_MAX_BYTES,
      signal: context.gone(),
      place: { appId: window.row.app_id, session: { kind: 'window', id: window.id } },
      onBehalf: { appId: window.row.app_id, windowUuid: window.id, origin },
    })
    if (outcome.ok) return new JsonText(objectText(outcome.json))
    throw refuse(outcome.code, outcome.message, {
      ...outcome.details,
      ...(outcome.code === 'tool_timeout' &&
        clampedFrom !== null && {
          timeout_ms: effective,
          requested_timeout_ms: clampedFrom,
          max_timeout_ms: services.limits.SYNC_TIMEOUT_MAX_MS,
        }),
    })
  },

  async invokeAsync({ tool_id, method, args = {}, timeoutMs, clientTag }, context) {
    const { services, userId, window, bodyBytes, origin } = context
    const name = parseToolName(tool_id, method)
    const timeout = asyncTimeout(timeoutMs, services.limits)
    const known = await reach(name.plugin, context, denialOf(context))
    const calledAt = services.clock.now()
    const patientUntil = calledAt + services.limits.SYNC_TIMEOUT_DEFAULT_MS
    const { plugin, tool } = await findTool(name, known, context, patience(context, patientUntil))
    checkArgs(args, services.limits.ASYNC_ARGS_MAX_BYTES, bodyBytes)
    const deadlineMs = calledAt + timeout.effective
    await services.approvals.waitForApproval(orderOf(context, { plugin, tool, args }, deadlineMs))
    const { id, row } = await services.jobs.start({
      userId,
      appId: window.row.app_id,
      plugin,
      tool: name.tool,
      args,
      timeout,
      calledAt,
      clientTag: clientTag ?? null,
      origin,
    })
    await services.events.told(userId)
    return { jobId: id, state: 'queued', deadlineMs: row.deadline_ms }
  },

  async getJob({ jobId, sinceSeq, limit }, context) {
    return new JsonText(await context.services.jobs.get(jobsOf(context), jobId, { after: sinceSeq, limit }))
  },

  cancelJob: ({ jobId, reason }, context) => context.services.jobs.cancel(jobsOf(context), jobId, reason),

  async listJobs(query, context) {
    return new JsonText(await context.services.jobs.list(jobsOf(context), query))
  },
}

/** The jobs that a window may see: those of its user and app. */
const jobsOf = ({ userId, window }: CallContext) => ({ userId, appId: window.row.app_id })

/** What the manifest of the calling window has against a plugin. */
const denialOf =
  ({ version }: CallContext) =>
  (plugin: PluginNames) =>
    toolDenial(version.manifest, plugin)

/** What the user may be asked about. */
const orderOf = (
  { userId, window, gone }: CallContext,
  call: Pick<ApprovalOrder, 'plugin' | 'tool' | 'args'>,
  deadlineMs: number,
): ApprovalOrder => ({
  ...call,
  userId,
  appId: window.row.app_id,
  windowUuid: window.id,
  isCalling: true,
  gone,
  deadlineMs,
})

const patience = (context: CallContext, deadlineMs: number) => () => ({ deadlineMs, signal: context.gone() })
