import { CANCEL_REASON_MAX_CHARS } from '@svc/contract/browser'
import type { JobSnapshot } from '@svc/contract/client'
import { HostRpcError, ownError, wrongArg } from './errors.ts'
import { type FollowOrder, followJob, type JobParts, NO_PROGRESS, type Progress } from './follow-job.ts'
import { chosenMs } from './waits.ts'

/** Options of a wait for a job; `Data` is what its plugin sends with progress. */
export interface JobWaitOptions<Data = unknown> {
  /**
   * Gets all progress, each once and in order. Where the host dropped some, `missed` says how many. An
   * error that it throws is the document's uncaught error and does not end the wait.
   */
  readonly onProgress?: (progress: Progress<Data>) => void
  /** An abort cancels the job, for its reason where that is text, and rejects with `cancelled`. */
  readonly signal?: AbortSignal
  /** The longest wait in ms; then `wait_timeout`, and the job continues. Without it: as long as the job lives. */
  readonly waitTimeoutMs?: number
}

/** The rejection of a wait whose signal had fired before anything was asked. */
export const abortedBefore = (): HostRpcError =>
  ownError('cancelled', 'the signal had fired before the job was started, so it was not')

/** The rejection of a wait that its signal gave up; without an id the job has no name yet. */
const givenUp = (jobId?: string): HostRpcError =>
  ownError('cancelled', 'the wait for the job was given up by its signal, which cancels the job', { jobId })

const waitedTooLong = (waitMs: number, jobId: string | undefined): HostRpcError =>
  ownError('wait_timeout', `the job has not ended within ${waitMs} ms`, {
    jobId,
    hint: 'The job may still run: svc.tools.job(details.jobId) waits on or cancels it, svc.tools.listJobs() finds it.',
  })

/** How a job ended: its result, or its error thrown (`tool_failed`, `tool_timeout`, `cancelled` …). */
function outcomeOf<Result extends object>({ jobId, state, result, error }: JobSnapshot): Result {
  if (result) return result as Result
  const body = error ?? { code: 'internal_error', message: `the job is ${state}, and no error was told` }
  throw new HostRpcError({ ...body, details: { ...body.details, jobId, state } })
}

/**
 * Waits until a job has ended and returns its result. It settles once: with
 * the end of the job, the abort, the caller's own wait, or why the job cannot be read; no listener and no
 * timer is left then. A host that is away for a while does not end it.
 *
 * @throws HostRpcError with the code of how the job ended, `cancelled`, `wait_timeout`, or that of a refusal.
 */
export async function awaitJob<Result extends object, Data>(
  parts: JobParts,
  { start, firstMs, sinceSeq }: FollowOrder,
  { onProgress, signal, waitTimeoutMs }: JobWaitOptions<Data> = {},
): Promise<Result> {
  const { rpc, clock } = parts
  // What is wrong is reported before anything is started: nobody could cancel it by a signal that is not one.
  const waitMs = waitTimeoutMs === undefined ? undefined : chosenMs('waitTimeoutMs', waitTimeoutMs)
  if (onProgress && typeof onProgress !== 'function') throw wrongArg('onProgress', 'a function', onProgress)
  if (signal && !signal.addEventListener) throw wrongArg('signal', 'an AbortSignal', signal)

  const follow = followJob(parts, { start, firstMs, sinceSeq: onProgress ? sinceSeq : NO_PROGRESS })
  const timer =
    waitMs === undefined
      ? undefined
      : clock.setTimeout(() => follow.close(waitedTooLong(waitMs, follow.jobId)), waitMs)
  const cancel = () => {
    follow.close(givenUp(follow.jobId))
    const why = signal?.reason
    const reason = typeof why === 'string' ? why.slice(0, CANCEL_REASON_MAX_CHARS) : 'cancelled'
    // A job that has no name yet is cancelled once it has one; one that was refused needs no cancel.
    follow.started.then(
      (jobId) => rpc.tools.cancelJob({ jobId, reason }).catch((error) => reportError(error)),
      () => undefined,
    )
  }
  signal?.addEventListener('abort', cancel)
  if (signal?.aborted) cancel()

  try {
    let end: JobSnapshot | undefined
    while (!end) {
      const news = await follow.next()
      for (const item of news?.progress ?? [])
        if (!signal?.aborted) callOnProgress(onProgress, item as Progress<Data>)
      if (!signal?.aborted) end = news?.end
    }
    return outcomeOf<Result>(end)
  } finally {
    follow.close()
    clock.clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
}

function callOnProgress<Data>(onProgress: JobWaitOptions<Data>['onProgress'], item: Progress<Data>): void {
  try {
    onProgress?.(item)
  } catch (error) {
    reportError(error)
  }
}
