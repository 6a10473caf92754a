import { type Limits, refuse, wrongArg, wrongArgs } from '@svc/contract'
import { asNumbers } from '@svc/contract/exact-json'
import { jsonText } from '@svc/contract/json-oddity'
import { outputObject } from '@svc/contract/stdio'
import { inTime } from '../../kernel/in-time.ts'
import { JsonText } from '../../kernel/json.ts'
import { callNow } from '../tools/call-now.ts'
import { checkArgs, findTool, reach } from '../tools/reach.ts'
import { syncTimeout } from '../tools/timeout.ts'
import type { PlatformCall, PlatformTool } from './platform-tools.ts'
import { clientSeeker } from './submode.ts'
import { platformDenial, pluginDenial } from './tool-rights.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Calls a platform tool, where the session may, and, if it is marked as destructive, once its user has approved. Errors: a
 * refusal; the reason of the signal.
 */
export async function callPlatformTool(
  tool: PlatformTool,
  args: unknown,
  call: PlatformCall,
): Promise<Fields> {
  const { services, rights } = call
  const { clock, limits } = services
  const hint = platformDenial(tool, rights)
  if (hint !== null)
    throw refuse('permission_denied', `the tool ${JSON.stringify(tool.name)} is not allowed: ${hint}`)
  const given = asNumbers(args, 'args')
  const parsed = await tool.args.safeParseAsync(given)
  if (!parsed.success) throw wrongArgs(parsed.error, given)
  const ms = limits.SYNC_TIMEOUT_DEFAULT_MS
  const late = () => refuse('tool_timeout', `the tool did not answer within ${ms} ms`)
  const { signal } = call
  const deadlineMs = clock.now() + ms
  const work = async (signal: AbortSignal) => {
    const gone = () => signal
    const asked = { plugin: null, tool, args: parsed.data, gone, deadlineMs }
    await services.approvals.waitForApproval({ ...whose(rights), ...asked })
    return tool.call(parsed.data, { ...call, signal })
  }
  return plain(await inTime(work, { clock, ms, signal, late }), limits)
}

/** Calls the tool of a plugin, where the session may: as `tools.invoke` does, with the default timeout. */
export async function callPluginTool(
  name: { readonly plugin: string; readonly tool: string },
  args: unknown,
  { services, rights, signal }: PlatformCall,
): Promise<Fields> {
  const { clock, limits } = services
  const { user_id: userId, submode } = rights.session.row
  const seeker = submode === 'fixed' ? clientSeeker(userId, rights.version, name.plugin) : rights
  const caller = { services, userId, version: seeker.version, window: rights.window }
  const calledAt = clock.now()
  const known = await reach(name.plugin, caller, (plugin) => pluginDenial(plugin, rights))
  const deadlineMs = calledAt + limits.SYNC_TIMEOUT_DEFAULT_MS
  const { plugin, tool } = await findTool(name, known, caller, () => ({ deadlineMs, signal }))
  signal.throwIfAborted()
  const given = fieldsOf(args)
  checkArgs(given, limits.SYNC_PAYLOAD_MAX_BYTES)
  const timeoutMs = syncTimeout(undefined, tool, limits).effective
  await services.approvals.waitForApproval({
    ...whose(rights),
    plugin,
    tool,
    args: given,
    gone: () => signal,
    deadlineMs: calledAt + timeoutMs,
  })
  const outcome = await callNow(caller, {
    plugin,
    tool: name.tool,
    args: given,
    calledAt,
    signal,
    place: { appId: rights.session.row.app_id, session: { kind: 'agent', id: rights.session.id } },
    onBehalf: behalfOf(rights),
    timeoutMs,
    maxResultBytes: limits.SESSION_TOOL_RESULT_MAX_BYTES,
  })
  if (outcome.ok) return outputObject(outcome.payload)
  throw refuse(outcome.code, outcome.message, outcome.details)
}

/** Who is asked for an approval. */
const whose = ({ session: { row }, window }: PlatformCall['rights']) => ({
  userId: row.user_id,
  appId: row.app_id,
  windowUuid: window?.id ?? null,
})

/**
 * For whom a tool of a session may ask things of the host: not where a plugin made the session, or plugins could call
 * each other without end.
 */
function behalfOf({ session: { row } }: PlatformCall['rights']) {
  if (row.plugin_id !== null) return null
  return { appId: row.app_id, windowUuid: row.window_uuid, origin: row.origin ?? '' }
}

function fieldsOf(args: unknown): Fields {
  if (typeof args === 'object' && args !== null && !Array.isArray(args)) return args as Fields
  throw wrongArg('args', 'must be an object')
}

/**
 * What a tool answered as JSON would carry it, within the cap. Errors: `result_too_large`; a TypeError that names by
 * its path what JSON does not hold.
 */
function plain(result: unknown, { SESSION_TOOL_RESULT_MAX_BYTES: max }: Limits): Fields {
  const json = result instanceof JsonText ? result.json : (jsonText(result, 'result') ?? 'null')
  const size = Buffer.byteLength(json)
  if (size > max)
    throw refuse('result_too_large', `the result must be at most ${max} bytes of JSON, got ${size}`)
  return outputObject(JSON.parse(json))
}
