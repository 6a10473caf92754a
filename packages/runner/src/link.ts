import type { CallFailureCode, PluginDescription } from '@svc/contract/stdio'

/** A plugin as the runner starts it; the same `id`, `version` and command share warm processes. */
export interface PluginSpec {
  readonly id: string
  readonly version: string
  /** Program and arguments; `node` is the Node that the runner itself runs on. */
  readonly command: readonly string[]
  /** The folder it starts in; its own empty folder where left out. */
  readonly cwd?: string | undefined
  /** Variables beside the runner's own short list (`environment.ts`). */
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** One call of a tool. Times are in ms, sizes in bytes of UTF-8 JSON. */
export interface CallInput {
  readonly userId: string
  readonly plugin: PluginSpec
  readonly tool: string
  readonly args?: Readonly<Record<string, unknown>> | undefined
  /** The effective timeout; the plugin reads it as `params.timeout`. */
  readonly timeoutMs: number
  /** Unix ms; the plugin reads it as `params.deadline_ms`. */
  readonly deadlineMs: number
  /** How long past the deadline an answer is still taken. */
  readonly graceMs: number
  readonly invokeId: string
  /** Exactly this many bytes pass (decision 10). */
  readonly maxResultBytes: number
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: { readonly type: string; readonly data: unknown }) => void) | undefined
}

/** Why a call or a `describe` gave nothing. */
export interface Failure {
  readonly ok: false
  readonly code: CallFailureCode
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** What stood under `output`: the value, its JSON text, and that text's length in bytes of UTF-8. */
export interface Payload {
  readonly ok: true
  readonly payload: unknown
  readonly json: string
  readonly bytes: number
}

/** How a call ended. */
export type CallOutcome = Payload | Failure

/** How a `describe` ended. */
export type DescribeOutcome = { readonly ok: true; readonly description: PluginDescription } | Failure

/** What the runner holds at this moment. */
export interface RunnerStats {
  /** Plugin processes that are alive, those on their way out included. */
  readonly processes: number
  /** Processes with a call under way. */
  readonly busy: number
  /** Calls that wait for a process. */
  readonly waiting: number
  /** Lines of stdout that were no message, since the runner was made. */
  readonly noise: number
}

/** The host's port to the processes of its plugins. Nothing in it throws or rejects. */
export interface Runner {
  call(input: CallInput): Promise<CallOutcome>
  /** Asks a plugin what it is; without `userId` the process is ended afterwards. */
  describe(
    plugin: PluginSpec,
    options?: {
      readonly userId?: string | undefined
      /** Unix ms; `DESCRIBE_TIMEOUT_MS` from now where left out. */
      readonly deadlineMs?: number | undefined
      readonly signal?: AbortSignal | undefined
    },
  ): Promise<DescribeOutcome>
  stats(): RunnerStats
  /** Ends calls under way with `agent_unavailable` and resolves when every process is gone. */
  close(): Promise<void>
}

/** Makes a failure. */
export function failure(
  code: CallFailureCode,
  message: string,
  details?: Readonly<Record<string, unknown>>,
): Failure {
  return { ok: false, code, message, ...(details && { details }) }
}
