import type { ArgsOut, CompletionArgs, Methods } from '@svc/contract'
import type { InstallRow, VersionRow } from '../../catalog/records.ts'

/** Who asks for a run, and with what rights. */
export interface RunCaller {
  readonly userId: string
  readonly appId: string
  /** The window that hears the frames; `null`: nobody does unasked. */
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

/** The runs of sessions, and the streams of `llm.stream`. */
export interface Runs {
  /**
   * Accepts a run of a session, or finds the one that has its `run_id`. Errors: `invalid_arg`,
   * `APP_INVALID_REQUEST`, `APP_QUOTA_EXCEEDED`, those of `Sessions.active`, `permission_denied` (models).
   */
  start(caller: RunCaller, args: RunArgs): Promise<StreamIds>
  /** Accepts a stream without a session (`llm.stream`). Errors: `quota_exceeded`, `permission_denied`. */
  stream(caller: RunCaller, args: CompletionArgs): Promise<StreamIds>
  /** Cancels a run; `true` by the call that did it while it was queued or running. */
  cancel(owner: RunOwner, runId: string): Promise<boolean>
  /**
   * Has the frames after `afterSeq` sent to a window again, and those that follow. Errors: `not_found`, where the
   * run is unknown or its frames are gone.
   */
  attach(
    owner: RunOwner,
    runId: string,
    afterSeq: number,
    windowUuid: string,
  ): Promise<StreamIds & { last_seq: number; done: boolean }>
  /** The frames of a stream after a seq, until the one that is done or until `signal` fires. */
  frames(streamId: string, afterSeq: number, signal?: AbortSignal): AsyncIterable<RunFrame>
  /** Cancels every run of a session that waits or runs: it was deleted, or its longest life is over. */
  cancelAll(sessionUuid: string, why: 'revoked' | 'expired'): Promise<void>
  /** Cancels the streams of an app of a user: it was uninstalled. */
  cancelStreams(userId: string, appId: string): Promise<void>
  /** Runs of a session that wait or run. */
  activeOf(sessionUuid: string): Promise<number>
  /** Forgets the runs of a session with their frames and messages: it was purged. */
  forgetSession(sessionUuid: string): Promise<void>
  /** Ends what dead hosts left open; the sweeper calls it. */
  sweep(): Promise<void>
  /** Forgets frames `STREAM_RETAIN_MS` and runs `RUN_KEPT_MS` after their end; the sweeper calls it. */
  forget(): Promise<void>
  /** Ends what runs here, each with its `end` frame. Twice is harmless. */
  close(): Promise<void>
}
