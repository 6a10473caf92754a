import type {
  AgentSessionCancelResult,
  AgentSessionCreateArgs,
  AgentSessionDeleteResult,
  AgentSessionHistoryResult,
  AgentSessionRefreshResult,
  AgentSessionRunArgs,
  CallOptions,
  Client,
} from '@svc/contract/client'
import type { StreamParts } from './follow-stream.ts'
import type { Run } from './run.ts'
import { type AttachOptions, attachRun, type RunCalls, type StartOptions, startRun } from './start-run.ts'

/** What is narrowed for every run of a handle that does not narrow itself. Either name may be used. */
interface ToolNarrowing {
  /** The only tools that runs may use, by the names that the model sees. */
  readonly allowed_tools?: readonly string[] | undefined
  /** Another name of `allowed_tools`. */
  readonly allowedTools?: readonly string[] | undefined
}

/** A session that is to be made; with an id that is not `null` it is found instead, and the rest is not used. */
export type NewSession = AgentSessionCreateArgs & {
  /** Another name of `fixed_client_id`. */
  readonly fixedClientId?: string | undefined
  /** Another name of `systemPrompt`. */
  readonly system_prompt?: string | undefined
  /** Another name of `appSessionUuid`. */
  readonly app_session_uuid?: string | null | undefined
  /** The id of a session that was made before. */
  readonly appSessionUuid?: string | null | undefined
}

/** A session that was made before. */
export type KnownSession =
  | {
      /** Its id, as a handle had it. */
      readonly appSessionUuid: string
    }
  | {
      /** Another name of `appSessionUuid`. */
      readonly app_session_uuid: string
    }

/** Which session: one to make, or one to continue. */
export type SessionOptions = (NewSession | KnownSession) & ToolNarrowing

/** Options of a run: the arguments of `agent.session.run` beside the content, and those of a call. */
export type RunOptions = Omit<AgentSessionRunArgs, 'app_session_uuid' | 'content'> &
  ToolNarrowing &
  StartOptions & {
    /** Another name of `run_id`. */
    readonly runId?: string
    /** Another name of `systemPrompt`. */
    readonly system_prompt?: string
  }

/** A session of an agent: turn by turn, with what was said before in mind. */
export interface AgentSession {
  /** Begins with `aps_`. All that an app needs to keep: `svc.agent.session({ appSessionUuid })` goes on with it. */
  readonly appSessionUuid: string
  /** `auto`: the tools that the user granted. `fixed`: those of one plugin. */
  readonly submode: 'auto' | 'fixed' | null
  /** The plugin of submode `fixed`. */
  readonly fixedClientId: string | null
  /** When it ends where nothing happens, ISO 8601, as the last create or refresh told; each run moves it on. */
  readonly expiresAt: string
  /** When it ends in any case, ISO 8601. */
  readonly maxLifetimeAt: string
  /** Seconds without a run or refresh after which it ends. */
  readonly idleTtlSeconds: number
  /** The system prompt; `undefined` in a handle that did not make the session. */
  readonly systemPrompt: string | null | undefined
  /** The tools that runs may use, by the names that the model sees; `undefined` as above. */
  readonly grantedTools: readonly string[] | undefined
  /** Whether platform tools are among them in submode `fixed`; `undefined` as above. */
  readonly inheritHostTools: boolean | undefined
  /**
   * Starts the next turn and returns its run once the host has accepted it. A `runId` (uuid) that was used with the
   * same arguments returns that run. An abort of `signal` cancels the run.
   *
   * @throws HostRpcError `invalid_arg`, `APP_SESSION_EXPIRED`, `APP_QUOTA_EXCEEDED` … ; `cancelled` where the signal
   *   had fired before.
   * @example
   * ```ts
   * const run = await session.run('And the day after?', { signal: stop.signal })
   * run.on('tool_call', ({ function: { name } }) => show(`uses ${name}`))
   * const { text, aborted } = await run.final()
   * ```
   */
  run(content: string, options?: RunOptions): Promise<Run>
  /**
   * Reads a run again that began in this document or one before it, from its beginning or behind `afterSeq`.
   *
   * @throws HostRpcError `not_found` when the run is unknown, or ended more than 5 minutes ago.
   */
  attach(runId: string, options?: AttachOptions): Promise<Run>
  /** Cancels a run; `cancelled` says whether it was under way. */
  cancel(runId: string, options?: CallOptions): Promise<AgentSessionCancelResult>
  /** The last messages, the oldest first; `limit` 1 to 200, default 50. */
  history(
    args?: {
      /** The most messages to return, moved into 1 to 200. Default 50. */
      readonly limit?: number
    },
    options?: CallOptions,
  ): Promise<AgentSessionHistoryResult>
  /** Moves `expiresAt` on. @throws HostRpcError `APP_SESSION_EXPIRED`, `APP_SESSION_REVOKED` */
  refresh(options?: CallOptions): Promise<AgentSessionRefreshResult>
  /** Ends the session and cancels its runs. */
  delete(options?: CallOptions): Promise<AgentSessionDeleteResult>
}

/** What every result about a session says of its life. */
type Life = AgentSessionRefreshResult

/** Makes a session, or finds one by its id and refreshes it, and returns its handle. */
export async function openSession(
  parts: StreamParts,
  rpc: Client['agent']['session'],
  options: SessionOptions,
  call?: CallOptions,
): Promise<AgentSession> {
  const { app_session_uuid, appSessionUuid, allowed_tools, allowedTools, ...rest } =
    options as Partial<NewSession> & ToolNarrowing
  const known = app_session_uuid ?? appSessionUuid
  const made = known == null ? await rpc.create(rest as NewSession, call) : undefined
  let life: Life = made ?? (await rpc.refresh({ app_session_uuid: known as string }, call))
  const mine = { app_session_uuid: life.app_session_uuid }
  const narrowed = { allowedTools: allowed_tools ?? allowedTools }
  const calls: RunCalls = {
    attach: (run_id, after_seq, options) => rpc.attach({ ...mine, run_id, after_seq }, options),
    cancel: (run_id, options) => rpc.cancel({ ...mine, run_id }, options),
  }

  return {
    appSessionUuid: mine.app_session_uuid,
    submode: life.submode,
    fixedClientId: life.fixed_client_id,
    get expiresAt() {
      return life.expires_at
    },
    get maxLifetimeAt() {
      return life.max_lifetime_at
    },
    get idleTtlSeconds() {
      return life.idle_ttl_seconds
    },
    systemPrompt: made?.system_prompt,
    grantedTools: made?.granted_tools,
    inheritHostTools: made?.inherit_host_tools,
    run: (content, { signal, timeoutMs, ...args } = {}) =>
      startRun(
        parts,
        calls,
        // The default goes by the other name of the argument, over which the argument itself wins.
        (call) => rpc.run({ ...narrowed, ...args, ...mine, content } as AgentSessionRunArgs, call),
        { signal, timeoutMs },
      ),
    attach: (runId, options) => attachRun(parts, calls, runId, options),
    cancel: calls.cancel,
    history: (args, options) => rpc.history({ ...args, ...mine }, options),
    async refresh(options) {
      life = await rpc.refresh(mine, options)
      return life
    },
    delete: (options) => rpc.delete(mine, options),
  }
}
