import { STREAM_FIRST_MS, STREAM_SILENT_MS } from '@svc/contract/browser'
import type { CallOptions } from '@svc/contract/client'
import { ownError, wrongArg } from './errors.ts'
import type { StreamParts } from './follow-stream.ts'
import { createRun, type Run } from './run.ts'

/** What is called for a run that is known by its id. */
export interface RunCalls {
  attach(runId: string, afterSeq: number, options: CallOptions): Promise<AttachAnswer>
  cancel(runId: string, options?: CallOptions): Promise<{ cancelled: boolean }>
}

/** What starts a stream answers. */
export interface StreamIds {
  readonly stream_id: string
  readonly run_id: string
}

/** What attaches to one answers besides. */
export interface AttachAnswer extends StreamIds {
  readonly last_seq: number
  readonly done: boolean
}

/** Options of a start. */
export interface StartOptions {
  /** An abort cancels the run; what it had said stays with its handle. */
  readonly signal?: AbortSignal | undefined
  /** How long to wait for the answer that the run is accepted, in ms. */
  readonly timeoutMs?: number | undefined
}

/** Options of reading a run again. */
export interface AttachOptions extends StartOptions {
  /** The last frame that is known already; default 0, the beginning. */
  readonly afterSeq?: number
}

/** Starts a run and returns its handle; `start` is not given the signal, because only its answer tells what to cancel. */
export async function startRun(
  parts: StreamParts,
  calls: RunCalls,
  start: (options: CallOptions) => Promise<StreamIds>,
  { signal, timeoutMs }: StartOptions,
): Promise<Run> {
  checkSignal(signal)
  const { stream_id: streamId, run_id: runId } = await start(within(timeoutMs))
  return createRun(parts, {
    ...boundTo(calls, runId),
    runId,
    streamId,
    signal,
    afterSeq: 0,
    lastSeq: 0,
    done: false,
    firstMs: STREAM_FIRST_MS,
  })
}

/** Returns the handle of a run that began before; its frames behind `afterSeq` come again. */
export async function attachRun(
  parts: StreamParts,
  calls: RunCalls,
  runId: string,
  { afterSeq = 0, signal, timeoutMs }: AttachOptions = {},
): Promise<Run> {
  checkSignal(signal)
  const {
    stream_id: streamId,
    last_seq: lastSeq,
    done,
  } = await calls.attach(runId, afterSeq, within(timeoutMs))
  return createRun(parts, {
    ...boundTo(calls, runId),
    runId,
    streamId,
    signal,
    afterSeq,
    firstMs: STREAM_SILENT_MS,
    lastSeq,
    done,
  })
}

const within = (timeoutMs: number | undefined): CallOptions => (timeoutMs === undefined ? {} : { timeoutMs })

const boundTo = (calls: RunCalls, runId: string) => ({
  attach: (afterSeq: number, options: CallOptions) => calls.attach(runId, afterSeq, options),
  cancel: (options?: CallOptions) => calls.cancel(runId, options),
})

function checkSignal(signal: AbortSignal | undefined): void {
  if (signal && !signal.addEventListener) throw wrongArg('signal', 'an AbortSignal', signal)
  if (signal?.aborted)
    throw ownError('cancelled', 'the signal had fired before the run was asked for, so it was not')
}
