import type { JobSnapshot, JobState, ToolsCancelJobResult } from '@svc/contract/client'
import { awaitJob, type JobWaitOptions } from './await-job.ts'
import {
  type Follow,
  type FollowOrder,
  followJob,
  type JobParts,
  NO_PROGRESS,
  type Progress,
} from './follow-job.ts'

/** Where the progress of a job begins. */
export interface ProgressOptions {
  /** The last that is known already; default 0, the beginning. */
  readonly sinceSeq?: number
}

/**
 * A job, found by its id: this document may have started it, one before it, or another window of the app. `Result` is
 * what its tool returns, `Data` what its plugin sends with progress.
 */
export interface Job<Result extends object = Record<string, unknown>, Data = unknown> {
  /** The id of the job. */
  readonly jobId: string
  /** Asks for the state that the job is in now. @throws HostRpcError `job_not_found` */
  state(): Promise<JobState>
  /** Reads the job as it is now, with the progress that the host keeps. @throws HostRpcError `job_not_found` */
  snapshot(): Promise<JobSnapshot & { result?: Result | undefined }>
  /**
   * The progress, each once and in order, until the job has ended; how it ended says `result()`. Leaving the
   * loop stops reading and leaves the job alone. Only what is asked for is read: a slow reader of a fast job
   * sees `missed`.
   *
   * @throws HostRpcError when the job cannot be read.
   */
  progress(options?: ProgressOptions): AsyncIterable<Progress<Data>>
  /** Waits for the result as `invokeAsyncAwait` does: an abort cancels the job. @throws HostRpcError */
  result(options?: JobWaitOptions<Data> & ProgressOptions): Promise<Result>
  /** Cancels the job, `reason` in at most 200 characters; `cancelled: false` where it had ended. @throws HostRpcError */
  cancel(reason?: string): Promise<ToolsCancelJobResult>
}

/** Makes the handle of a job; nothing is called before it is asked. */
export function createJob<Result extends object, Data>(parts: JobParts, jobId: string): Job<Result, Data> {
  const { tools } = parts.rpc
  const from = (sinceSeq = 0): FollowOrder => ({ start: async () => jobId, firstMs: 0, sinceSeq })
  return {
    jobId,
    state: async () => (await tools.getJob({ jobId, sinceSeq: NO_PROGRESS })).state,
    snapshot: () => tools.getJob({ jobId }) as ReturnType<Job<Result>['snapshot']>,
    progress: ({ sinceSeq } = {}) => ({
      [Symbol.asyncIterator]: () => progressOf<Data>(parts, from(sinceSeq)),
    }),
    result: ({ sinceSeq, ...options } = {}) => awaitJob<Result, Data>(parts, from(sinceSeq), options),
    cancel: (reason) => tools.cancelJob({ jobId, ...(reason !== undefined && { reason }) }),
  }
}

/** Reads the progress of a job; `return()` ends it even while it waits, which a generator alone does not. */
function progressOf<Data>(parts: JobParts, followed: FollowOrder): AsyncIterator<Progress<Data>, void> {
  let follow: Follow | undefined
  async function* read(): AsyncGenerator<Progress<Data>, void> {
    follow = followJob(parts, followed)
    try {
      for (;;) {
        const news = await follow.next()
        if (!news) return
        yield* news.progress as readonly Progress<Data>[]
        if (news.end) return
      }
    } finally {
      follow.close()
    }
  }
  const items = read()
  return {
    next: () => items.next(),
    return() {
      follow?.close()
      return items.return()
    },
  }
}
