import type { Distribution } from '@svc/contract'
import type { Limits } from '@svc/contract/limits'
import type { Reach } from '@svc/contract/reach'
import type { CallFailureCode, LineError, PluginDescription, SubcallMethod } from '@svc/contract/stdio'

/** A plugin as a caller names it: one whose command is there, or one that is installed first. */
export type PluginSpec = CommandSpec | InstalledSpec

/** A plugin that comes onto the machine as its distribution says. */
export interface InstalledSpec {
  /** The id of the plugin. */
  readonly id: string
  /** The version to install. */
  readonly version: string
  /** The user who published it; where left out, a machine that a user enrolled takes it for another's. */
  readonly author?: string | undefined
  /** How it comes onto the machine. */
  readonly distribution: Distribution
  /** When this version was frozen, in Unix ms; where left out it is not, and gets what its registry has now. */
  readonly frozenAt?: number | undefined
  /** What its user gave the variables of its distribution. */
  readonly values?: Readonly<Record<string, string>> | undefined
  /** What its user agreed that it reaches beyond its own folder; nothing where left out. */
  readonly reach?: Reach | undefined
}

/** Who shares a process of a plugin: calls of one user and app, one window, or one session of an agent. */
export type SessionScope = NonNullable<Distribution['session']>

/** A plugin as the runner starts it; the same `id`, `version` and command share warm processes. */
export interface CommandSpec {
  /** The id of the plugin. */
  readonly id: string
  /** Its version. */
  readonly version: string
  /** Program and arguments; `node` is the Node that the runner itself runs on. */
  readonly command: readonly string[]
  /** Arguments after those of the command; a file that they name is not shown to the process for that. */
  readonly args?: readonly string[] | undefined
  /** The folder it starts in; its own empty folder where left out. */
  readonly cwd?: string | undefined
  /** Variables beside the runner's own short list (`environment.ts`). */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** What it speaks on its stdio: the plugin protocol (docs/reference/stdio.md) where left out, or MCP. */
  readonly protocol?: 'svc' | 'mcp' | undefined
  /** Whether an MCP server may ask for completions: the plugin then lists `llm.sample`. */
  readonly sampling?: boolean | undefined
  /** How long its start may take, in ms; what every plugin has where left out. */
  readonly startMs?: number | undefined
  /** Who shares a process: what its protocol does where left out. */
  readonly session?: SessionScope | undefined
  /**
   * What it reaches behind walls, beside what its command names. Left out, one with `files` reaches nothing, and another has
   * no walls, unless all must have them.
   */
  readonly reach?: Reach | undefined
  /** The folders of its install, which it may read. */
  readonly files?: readonly string[] | undefined
  /** Looks at its install before a start: what is wrong with it, as the end of a sentence; `null`: nothing. */
  readonly intact?: (() => Promise<string | null>) | undefined
}

/** What came of a plugin's own request. */
export type SubcallReply =
  | {
      /** What the host returned. */
      readonly result: unknown
    }
  | {
      /** Why it refused. */
      readonly error: LineError
    }

/** What a plugin may ask of the host within one call. */
export interface Subcalls {
  /** The plugin reads it as `context.sampling_token` and shows it with each request. */
  readonly samplingToken: string
  /**
   * Answers a request that showed the token. `params` are the plugin's own without it; of `host/uploadFile` they have
   * `bytes_b64` and no `path`. `signal` fires when nobody waits for the answer any more.
   */
  onRequest(
    method: SubcallMethod,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<SubcallReply>
}

/** One call of a tool. Times are in ms, sizes in bytes of UTF-8 JSON. */
export interface CallInput {
  /** The user whose call it is. */
  readonly userId: string
  /** The app that calls: no process ever serves two. */
  readonly appId?: string | undefined
  /**
   * The window, or the session of an agent, that has a process of the plugin to itself until `endSessions`: its calls go one
   * after the other. Left out: any warm process of the same user and app may serve the call.
   */
  readonly session?: string | undefined
  /** The plugin. */
  readonly plugin: PluginSpec
  /** The tool of the plugin. */
  readonly tool: string
  /** The arguments of the tool; left out where `argsJson` is there. `argsText(input)` reads both. */
  readonly args?: Readonly<Record<string, unknown>> | undefined
  /** In place of `args`: their JSON text in one line, as `JSON.stringify` writes it, so that large ones are not written again. */
  readonly argsJson?: string | undefined
  /** The effective timeout; the plugin reads it as `params.timeout`. */
  readonly timeoutMs: number
  /** Unix ms; the plugin reads it as `params.deadline_ms`. */
  readonly deadlineMs: number
  /** How long past the deadline an answer is still taken. */
  readonly graceMs: number
  /** The id of the call, which the plugin sees. */
  readonly invokeId: string
  /** Exactly this many bytes pass. */
  readonly maxResultBytes: number
  /** Gives the call up. */
  readonly signal?: AbortSignal | undefined
  /** Without it every request of the plugin is refused. */
  readonly subcalls?: Subcalls | undefined
}

/** An input whose plugin has its command. */
export type WithCommand<Input extends { readonly plugin: PluginSpec }> = Omit<Input, 'plugin'> & {
  readonly plugin: CommandSpec
}

/** One thing that a plugin told of its job: what it calls it, and the JSON text of its data. */
export interface JobProgress {
  /** The type that the plugin gave it. */
  readonly type: string
  /** What it sent, as JSON text. */
  readonly json: string
}

/**
 * One job: a call in a process of its own that may take up to a day. Nothing is called after the
 * outcome is there.
 */
export interface JobInput {
  /** The user whose job it is. */
  readonly userId: string
  /** The plugin. */
  readonly plugin: PluginSpec
  /** The tool of the plugin. */
  readonly tool: string
  /** The arguments of the tool; left out where `argsJson` is there. `argsText(input)` reads both. */
  readonly args?: Readonly<Record<string, unknown>> | undefined
  /** The invoke id that the plugin reads. */
  readonly jobId: string
  /** The effective timeout in ms; the plugin reads it as `params.timeout`. */
  readonly timeoutMs: number
  /** Unix ms; the plugin reads it as `params.deadline_ms`. Reaching it ends the job with `tool_timeout`. */
  readonly deadlineMs: number
  /**
   * Exactly this many bytes of UTF-8 JSON pass; more is `result_too_large`. Of a line no more is held
   * than such a result takes where each byte is an escape.
   */
  readonly maxResultBytes: number
  /** Its abort cancels the job, with its reason where that is text: a `cancel` line, 500 ms, then the tree is killed. */
  readonly signal: AbortSignal
  /** The process is there and was sent the call. */
  readonly onStarted: () => void
  /** Progress within its rate and its size. */
  readonly onProgress: (progress: JobProgress) => void
  /** Progress over its rate, its size or a name of `NAME_MAX_CHARS` was dropped: this many. */
  readonly onDropped: (count: number) => void
  /** The process lives: every `JOB_HEARTBEAT_MS`. */
  readonly onHeartbeat: () => void
  /** Without it every request of the plugin is refused. */
  readonly subcalls?: Subcalls | undefined
}

/** Why a call or a `describe` gave nothing. */
export interface Failure {
  /** It failed. */
  readonly ok: false
  /** The code to branch on. */
  readonly code: CallFailureCode
  /** What went wrong. */
  readonly message: string
  /** More about it. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** The value of `output`: the value, its JSON text, and that text's length in bytes of UTF-8. */
export interface Payload {
  /** It succeeded. */
  readonly ok: true
  /** What the tool returned; of a long answer it is parsed when it is read first. */
  readonly payload: unknown
  /** The same as JSON text. */
  readonly json: string
  /** The length of that text in UTF-8. */
  readonly bytes: number
}

/** How a call ended. */
export type CallOutcome = Payload | Failure

/** How a `describe` ended. */
export type DescribeOutcome =
  | {
      /** It succeeded. */
      readonly ok: true
      /** What the plugin offers. */
      readonly description: PluginDescription
    }
  | Failure

/** What the runner holds at this moment. */
export interface RunnerStats {
  /** Plugin processes that are alive, those on their way out included. */
  readonly processes: number
  /** Processes with a call or a job under way. */
  readonly busy: number
  /** Calls that wait for a process. */
  readonly waiting: number
  /** Lines of stdout that were no message, since the runner was made. */
  readonly noise: number
}

/** How an install ended: done, or why the plugin is `unavailable` on this machine, in a sentence. */
export type InstallOutcome =
  | {
      /** It is installed. */
      readonly ok: true
    }
  | Failure

/** The host's port to the processes of its plugins. Nothing in it throws or rejects. */
export interface Runner {
  /**
   * Brings a plugin onto the machine, once: what is installed already answers at once, and two who ask share one
   * install. `call`, `job` and `describe` install too, within their own deadlines.
   */
  install(
    plugin: PluginSpec,
    options?: { readonly deadlineMs?: number | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<InstallOutcome>
  /** Calls a tool. Never rejects. */
  call(input: CallInput): Promise<CallOutcome>
  /** Runs a job; its outcome is there before its process is gone. How many run at once is the host's to hold. */
  job(input: JobInput): Promise<CallOutcome>
  /** Asks a plugin what it is; without `userId` the process waits for its first call, whoever makes that. */
  describe(
    plugin: PluginSpec,
    options?: {
      readonly userId?: string | undefined
      /** Unix ms; `describeMs` from now where left out. */
      readonly deadlineMs?: number | undefined
      readonly signal?: AbortSignal | undefined
    },
  ): Promise<DescribeOutcome>
  /** Ends the processes that calls kept by their `session`: of all users, sessions and plugins that are not named otherwise. */
  endSessions?(which: {
    readonly userId?: string | undefined
    readonly session?: string | undefined
    readonly pluginId?: string | undefined
  }): void
  /** Calls a listener with the tools of a process that said that they are others. */
  onToolsChanged?(listener: (change: ToolsChange) => void): void
  /** Returns how much of it is in use. */
  stats(): RunnerStats
  /** Ends calls under way with `agent_unavailable` and resolves when every process is gone. */
  close(): Promise<void>
  /** Hides a folder from the plugins behind walls that start from now on, even where a wider one is shown to them. */
  hide?(folder: string): void
}

/** How long a plugin has to say what it is: longer than `DESCRIBE_TIMEOUT_MS` where it asked for a longer start. */
export function describeMs(plugin: PluginSpec, { DESCRIBE_TIMEOUT_MS, MCP_START_MS }: Limits): number {
  const startMs = 'distribution' in plugin ? plugin.distribution.start_ms : plugin.startMs
  return DESCRIBE_TIMEOUT_MS + Math.max(0, (startMs ?? 0) - MCP_START_MS)
}

/** Who shares a process of a plugin: what it says itself, else windows those of MCP and calls those of our protocol. */
export function sessionScope(plugin: PluginSpec): SessionScope {
  const { session, protocol }: Pick<CommandSpec, 'session' | 'protocol'> =
    'distribution' in plugin ? plugin.distribution : plugin
  return session ?? (protocol === 'mcp' ? 'window' : 'call')
}

/** Other tools of a plugin, as one of its processes told them. */
export interface ToolsChange {
  /** The id of the plugin. */
  readonly pluginId: string
  /** Its version. */
  readonly version: string
  /** The user whom its process serves; left out: it served nobody yet. */
  readonly userId?: string | undefined
  /** The app whose calls it serves, where that is one. */
  readonly appId?: string | undefined
  /** What the process is now. */
  readonly description: PluginDescription
}

/** Makes a failure. */
export function failure(
  code: CallFailureCode,
  message: string,
  details?: Readonly<Record<string, unknown>>,
): Failure {
  return { ok: false, code, message, ...(details && { details }) }
}

/** The arguments of a call or a job as JSON text. */
export const argsText = (input: Pick<CallInput, 'args' | 'argsJson'>): string =>
  input.argsJson ?? JSON.stringify(input.args ?? {})
