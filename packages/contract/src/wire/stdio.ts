import type { ErrorCode } from '../errors/errors.ts'
import type { Reach } from '../schemas/reach.ts'
import { isObject } from '../values/is-object.ts'
import type { TokenUsage } from './frames.ts'

export { isToolName, toolNameRule } from '../schemas/tool-name.ts'
export {
  type HostCapability,
  isSubcall,
  lineError,
  REFUSED,
  refusalError,
  type SubcallMethod,
  type SubcallRow,
  sessionNeeds,
  subcallRow,
  subcalls,
} from './subcalls.ts'

/** The stdio wire: one JSON object a line, UTF-8, both ways. */
export const JSONRPC = '2.0'

/** The output of a tool as apps and agents get it: an object as it is, nothing as `{}`, anything else under `value`. */
export function outputObject(output: unknown): Readonly<Record<string, unknown>> {
  if (output === undefined || output === null) return {}
  return isObject(output) ? output : { value: output }
}

/** The id of a line; ids are compared with their type. */
export type LineId = string | number

/** One parameter of a tool as a plugin describes it. */
export interface ToolParameter {
  /** The name of the parameter. */
  readonly name: string
  /** Its type, such as `string`, `number` or `object`. */
  readonly type: string
  /** Whether a call must have it. */
  readonly required?: boolean
  /** What it is, for a model. */
  readonly description?: string
  /** The only values that it may have. */
  readonly enum?: readonly unknown[]
  /** What it is where a call leaves it out. */
  readonly default?: unknown
}

/** One tool of a `describe` result. */
export interface ToolDescription {
  /** The name of the tool: 1 to 128 characters out of A-Z, a-z, 0-9, `_`, `.` and `-`. */
  readonly name: string
  /** What it is called for people and models, where its name does not say it. */
  readonly title?: string
  /** What it does, for a model. */
  readonly description?: string
  /** What MCP says of it, such as `readOnlyHint`: a model is told, and nothing is allowed by it. */
  readonly annotations?: Readonly<Record<string, unknown>>
  /** Its parameters. */
  readonly parameters: readonly ToolParameter[]
  /** JSON Schema; made from `parameters` where it is absent. */
  readonly input_schema?: Readonly<Record<string, unknown>>
  /** JSON Schema of what it returns under `output`; it is passed on to callers, and checked by nobody. */
  readonly output_schema?: Readonly<Record<string, unknown>>
  /** The tool's own timeout in ms, clamped to 1 000–90 000; rubbish is ignored. */
  readonly timeout_ms?: number
  /** It destroys or sends what cannot be had back: the user is asked before each call. */
  readonly destructive?: boolean
}

/** The result of `describe`: the plugin's manifest. */
export interface PluginDescription {
  /** The name of the plugin. */
  readonly name: string
  /** Its version, SemVer. */
  readonly version?: string
  /** How a model is to use its tools; a model gets it once, as text of the plugin. */
  readonly instructions?: string
  /** Its tools. */
  readonly tools: readonly ToolDescription[]
  /** The credentials that it asks for. */
  readonly credentials?: readonly unknown[]
  /** What it may ask of the host, such as `agent` or `uploads`. */
  readonly host_capabilities?: readonly string[]
  /** What it may reach beyond its own folder: `hosts`, and `folders` with `path` and `access` (`read` or `write`). */
  readonly reach?: Reach
}

/** Host → plugin: what is this plugin? */
export interface DescribeRequest {
  readonly jsonrpc: typeof JSONRPC
  readonly id: LineId
  readonly method: 'describe'
}

/** Where a call belongs: its id, and what the plugin may show with requests of its own. */
export interface CallContext {
  readonly invoke_id: string
  readonly sampling_token?: string
  readonly traceparent?: string
}

/** Host → plugin: run a tool. `timeout` is in ms, `deadline_ms` is Unix ms. */
export interface CallRequest {
  readonly jsonrpc: typeof JSONRPC
  readonly id: LineId
  readonly method: 'call'
  readonly params: {
    readonly name: string
    readonly args: Readonly<Record<string, unknown>>
    readonly timeout: number
    readonly deadline_ms: number
    readonly context: CallContext
  }
}

/** Host → plugin: stop working on a call. */
export interface CancelNotification {
  readonly jsonrpc: typeof JSONRPC
  readonly method: 'cancel'
  readonly params: { readonly id: LineId; readonly reason?: string }
}

/** Plugin → host: how far a call has come. */
export interface ProgressNotification {
  readonly jsonrpc: typeof JSONRPC
  readonly method: 'progress'
  readonly params: { readonly id: LineId; readonly type: string; readonly data: unknown }
}

/** Plugin → host, at any time: its tools are others now. The host asks with `describe` which, at most once in a while. */
export interface ToolsChangedNotification {
  readonly jsonrpc: typeof JSONRPC
  readonly method: 'tools_changed'
}

/** Plugin → host: a request of its own within a call, one of `subcalls`. */
export interface ReverseRequest {
  readonly jsonrpc: typeof JSONRPC
  readonly id: LineId
  readonly method: string
  readonly params: Readonly<Record<string, unknown>> & { readonly sampling_token?: string }
}

/** What `agent/session.run` answers of a run: its text, token by token, then whole. */
export type PluginFrame = { readonly event: 'delta'; readonly text: string } | PluginFinal

/** The last frame of a run: all of its text. */
export interface PluginFinal {
  readonly event: 'final'
  readonly text: string
  /** What the run took in all; of one that finished. */
  readonly usage?: TokenUsage
  /** It was cancelled: this is what came until then. */
  readonly aborted?: true
}

/** The answer of `agent/session.run`, once the run is over. */
export interface PluginRun {
  readonly run_id: string
  readonly stream_id: string
  /** The last one is `final`. */
  readonly frames: readonly PluginFrame[]
  readonly final: PluginFinal
}

/** The error of a JSON-RPC reply. */
export interface LineError {
  /** The JSON-RPC number. */
  readonly code: number
  /** What went wrong. */
  readonly message: string
  /** More about it: `name`, and `details`. */
  readonly data?: unknown
}

/**
 * The `data.name` of the error by which a plugin says that it has not begun with a call and takes no other. The runner
 * then asks another process, unless this one was started for the call.
 */
export const NOT_TAKEN = 'not_taken'

/**
 * The `data.name` of the error by which an adapter says that the program behind it did not start, or has ended: what that
 * wrote to stderr, which is the adapter's, tells why.
 */
export const SERVER_FAILED = 'server_failed'

/** What is in `result` of a call: the payload, or the plugin's own failure. */
export type CallResult = { readonly output: unknown } | { readonly success: false; readonly error: string }

/** A reply, either way. */
export type Reply =
  | { readonly jsonrpc: typeof JSONRPC; readonly id: LineId; readonly result: unknown }
  | { readonly jsonrpc: typeof JSONRPC; readonly id: LineId | null; readonly error: LineError }

/** The codes that a call through the runner can end with. */
export const callFailures = [
  'agent_unavailable',
  'plug_unavailable',
  // Of what its author can put right about a distribution: `installFaults`.
  'invalid_arg',
  'plug_error',
  'tool_failed',
  'tool_timeout',
  'result_too_large',
  'frame_too_large',
  'subcall_timeout',
  'cancelled',
] as const satisfies readonly ErrorCode[]

/** One of them. */
export type CallFailureCode = (typeof callFailures)[number]
