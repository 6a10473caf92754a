import type { ArgsIn, Methods } from '@svc/contract'
import { JOB_POLL_MS } from '@svc/contract/browser'
import { awaitJob, type JobWaitOptions, neverBegun } from './await-job.ts'
import type { EventHub } from './events.ts'
import type { JobParts } from './follow-job.ts'
import { createJob, type Job } from './job.ts'
import { onToolsChanged, type ToolsChanged } from './tools-changed.ts'

/** What stands in `svc.tools` beside the methods of the host. */
export interface ToolsExtras {
  /**
   * Starts a job, waits until it has ended, and answers its result (spec §4.2 tools 8). `args.timeoutMs` is
   * the deadline of the job, `options.waitTimeoutMs` that of the wait. A reload of the document ends the
   * wait, not the job: keep its id (`clientTag` finds it in `listJobs`) and go on with `job(jobId)`.
   *
   * @throws HostRpcError `cancelled` (the signal, or anybody else's cancel), `tool_timeout` (the job's
   *   deadline), `tool_failed`, `wait_timeout` (the job may still run; `details.jobId`),
   *   `job_quota_exceeded`, `long_job_capacity`, or another code of the host.
   */
  invokeAsyncAwait(
    args: ArgsIn<Methods['tools']['invokeAsync']>,
    options?: JobWaitOptions,
  ): Promise<Record<string, unknown>>
  /** The handle of a job, by the id that `invokeAsync` or `listJobs` told. */
  job(jobId: string): Job
  /** Hears the new list whenever the tools of this app change. Answers how to stop. */
  onChanged(listener: ToolsChanged): () => void
}

/** Makes them. */
export function createTools(parts: JobParts & { readonly on: EventHub['on'] }): ToolsExtras {
  const { rpc, on } = parts
  return {
    async invokeAsyncAwait(args, options) {
      if (options?.signal?.aborted) throw neverBegun()
      // The signal does not go with the call: only its answer tells which job to cancel.
      const start = async () => (await rpc.invokeAsync(args)).jobId
      return await awaitJob(parts, { start, firstMs: JOB_POLL_MS, sinceSeq: 0 }, options)
    },
    job: (jobId) => createJob(parts, jobId),
    onChanged: (listener) => onToolsChanged(rpc, on, listener),
  }
}
