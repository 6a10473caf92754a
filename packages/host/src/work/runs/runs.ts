import type { ArgsOut, CompletionArgs, Methods } from '@svc/contract'
import { lazy } from '@svc/node'
import { all } from '@svc/state'
import type { InstallRow, VersionRow } from '../../catalog/records.ts'
import { runs } from '../../catalog/run-row.ts'
import { inTime } from '../../kernel/in-time.ts'
import { type Active, openActive } from '../engine/active.ts'
import type { ToolServices, WorkServices } from '../services.ts'
import { runTools, type SessionTool } from '../sessions/session-tools.ts'
import type { SessionRights } from '../sessions/tool-rights.ts'
import { acceptRun, acceptStream, openSharedAccepts, type SharedAccepts } from './accept.ts'
import { attach, framesOf } from './attach.ts'
import { cancelAll, cancelRun, cancelStreams, stopTopic } from './cancel.ts'
import { recoverRuns } from './close-stream.ts'
import { closed } from './ending.ts'
import type { HeldRun } from './held-run.ts'
import { forgetRuns, forgetSession } from './retention.ts'
import { checkRow } from './watch.ts'

/** Who asks for a run, and with what rights. */
export interface RunCaller {
  readonly userId: string
  readonly appId: string
  /** The window that gets the frames; `null`: none does unless it asks. */
  readonly windowUuid: string | null
  readonly version: VersionRow
  readonly install: InstallRow
}

/** The arguments of `agent.session.run`, parsed. */
export type RunArgs = ArgsOut<Methods['agent']['session.run']>

/** What names the stream of a run. */
export interface StreamIds {
  readonly stream_id: string
  readonly run_id: string
}

/** Whose run: of a user and app, and of a session, or `null` for one of `llm.stream`. */
export interface RunOwner {
  readonly userId: string
  readonly appId: string
  readonly sessionUuid: string | null
}

/** One frame of a run; `payload` is JSON text of a `Frame`. */
export interface RunFrame {
  readonly seq: number
  readonly payload: string
  readonly done: boolean
}

/** What runs need of the host's services. */
export type RunServices = Pick<
  WorkServices,
  | 'bus'
  | 'clock'
  | 'events'
  | 'hosts'
  | 'limits'
  | 'log'
  | 'models'
  | 'newId'
  | 'publicFetch'
  | 'quotas'
  | 'sessions'
  | 'store'
  | 'threads'
>

/** The services of runs, with those that this host does. */
export interface RunParts extends RunServices {
  /** The runs that this host does. */
  readonly activeRuns: Active<HeldRun>
  /** Counts the runs that this host accepts. */
  readonly nextTurn: () => number
  /** What lets a model and its tools talk. */
  readonly agentLoop: () => Promise<typeof import('./agent-loop.ts')>
  /** The loop of runs whose model may call tools, which loads the AI SDK. */
  readonly toolLoop: () => Promise<typeof import('./tool-loop.ts')>
  /** The tools of a session, as they are now. */
  readonly toolsOf: (rights: SessionRights) => Promise<readonly SessionTool[]>
  /** Acceptances, each with the window that gets its frames. */
  readonly sharedAccepts: SharedAccepts<StreamIds & Pick<RunCaller, 'windowUuid'>>
}

/** Opens the runs of sessions, and the streams of `llm.stream`. */
export const openRuns = (services: ToolServices) =>
  openRunsWith(services, (rights) => runTools(services, rights))

/** Opens runs whose sessions have the tools that `toolsOf` says. */
export function openRunsWith(services: RunServices, toolsOf: RunParts['toolsOf']) {
  const { clock, limits, store } = services
  const activeRuns = openActive<HeldRun>(services, {
    topicOf: stopTopic,
    // If a message is lost, the next check notices it.
    onMessage(message) {
      const held = activeRuns.get(JSON.parse(message))
      if (held) void checkRow(parts, held)
    },
    // Those of its session may be next.
    onRelease({ row }) {
      for (const other of activeRuns.all()) if (other.row.session_uuid === row.session_uuid) other.wake()
    },
  })
  let taken = 0
  const parts: RunParts = {
    ...services,
    activeRuns,
    nextTurn: () => ++taken,
    // The AI SDK is large: a host loads what it needs of it with its first run.
    agentLoop: lazy(() => import('./agent-loop.ts')),
    toolLoop: lazy(() => import('./tool-loop.ts')),
    toolsOf,
    sharedAccepts: openSharedAccepts(),
  }

  return {
    /**
     * Accepts a run of a session, or finds the one that has its `run_id`. Errors: `invalid_arg`,
     * `APP_INVALID_REQUEST`, `APP_QUOTA_EXCEEDED`, those of `Sessions.active`, `permission_denied` (models).
     */
    start: async (caller: RunCaller, args: RunArgs): Promise<StreamIds> => acceptRun(parts, caller, args),
    /** Accepts a stream without a session (`llm.stream`). Errors: `quota_exceeded`, `permission_denied`. */
    stream: (caller: RunCaller, args: CompletionArgs): Promise<StreamIds> =>
      acceptStream(parts, caller, args),
    /** Cancels a run; `true` by the call that did it while it was queued or running. */
    cancel: (owner: RunOwner, runId: string): Promise<boolean> => cancelRun(parts, owner, runId),
    /**
     * Has the frames after `afterSeq` sent to a window again, and those that follow. Errors: `not_found`, where the
     * run is unknown or its frames are gone.
     */
    attach: (owner: RunOwner, runId: string, afterSeq: number, windowUuid: string) =>
      attach(parts, owner, runId, afterSeq, windowUuid),
    /** The frames of a stream after a seq, until the one that is done or until `signal` fires. */
    frames: (streamId: string, afterSeq: number, signal?: AbortSignal): AsyncIterable<RunFrame> =>
      framesOf(parts, streamId, afterSeq, signal),
    /** Cancels every run of a session that waits or runs: it was deleted, or its longest life is over. */
    cancelAll: (sessionUuid: string, why: 'revoked' | 'expired'): Promise<void> =>
      cancelAll(parts, sessionUuid, why),
    /** Cancels the streams of an app of a user: it was uninstalled. */
    cancelStreams: (userId: string, appId: string): Promise<void> => cancelStreams(parts, userId, appId),
    /** Counts the runs of a session that wait or run. */
    async activeOf(sessionUuid: string): Promise<number> {
      return (await all(store, runs, 'activeBySession', { eq: [sessionUuid] })).length
    },
    /** Forgets the runs of a session with their frames and messages: it was purged. */
    forgetSession: (sessionUuid: string): Promise<void> => forgetSession(parts, sessionUuid),
    /** Ends what dead hosts left open; the sweeper calls it. */
    async sweep(): Promise<void> {
      if (!activeRuns.isClosed()) await recoverRuns(parts)
    },
    /** Forgets frames `STREAM_RETAIN_MS` and runs `RUN_KEPT_MS` after their end; the sweeper calls it. */
    forget: (): Promise<void> => forgetRuns(parts),
    /** Ends what runs here, each with its `end` frame. Twice is harmless. */
    async close(): Promise<void> {
      for (const held of activeRuns.close()) {
        held.stop(closed)
        held.frameWriter.close()
        held.wake()
      }
      const late = () => new Error('runs have not ended in time')
      const { signal } = new AbortController()
      await inTime(activeRuns.idle, { clock, ms: limits.SHUTDOWN_MS, signal, late }).catch(() => {})
      await activeRuns.unsubscribe()
    },
  }
}

export type Runs = ReturnType<typeof openRunsWith>
