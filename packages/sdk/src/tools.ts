import { JOB_POLL_MS } from '@svc/contract/browser'
import type { KnownCall, KnownResult, ToolsInvokeAsyncArgs } from '@svc/contract/client'
import { abortedBefore, awaitJob, type JobWaitOptions } from './await-job.ts'
import type { EventHub } from './events.ts'
import type { JobParts } from './follow-job.ts'
import { createJob, type Job } from './job.ts'
import { onToolsChanged, type ToolsChanged } from './tools-changed.ts'

/** What `svc.tools` has besides the methods of the host. */
export interface ToolsExtras {
  /**
   * Starts a job, waits until it has ended, and returns its result: `invokeAsyncAwait<Report, Step>(…)` gives the
   * result and the data of its progress those types. `args.timeoutMs` is the time until the job expires,
   * `options.waitTimeoutMs` that of the wait. A reload of the document ends the wait, not the job: keep its id
   * (`clientTag` finds it in `listJobs`) and go on with `job(jobId)`.
   *
   * @throws HostRpcError `cancelled` (the signal, or anybody else's cancel), `tool_timeout` (the job's
   *   deadline), `tool_failed`, `wait_timeout` (the job may still run; `details.jobId`),
   *   `job_quota_exceeded`, `long_job_capacity`, or another code of the host.
   * @example
   * ```ts
   * const { files } = await svc.tools.invokeAsyncAwait<{ files: number }, { percent: number }>(
   *   { tool_id: 'index.build', args: { folder: '/data' } },
   *   { onProgress: ({ data }) => bar.set(data.percent), signal: stop.signal },
   * )
   * ```
   */
  invokeAsyncAwait<
    Result extends object = Record<string, unknown>,
    Data = unknown,
    Id extends string = string,
    Tool extends string = string,
  >(
    args: KnownCall<ToolsInvokeAsyncArgs, Id, Tool>,
    options?: JobWaitOptions<Data>,
  ): Promise<KnownResult<Result, Id, Tool>>
  /**
   * Returns the handle of a job, by the id that `invokeAsync` or `listJobs` returned. Nothing is called yet.
   *
   * @example
   * ```ts
   * const job = svc.tools.job<Report, Step>(jobId)
   * for await (const { data } of job.progress()) show(data)
   * const report = await job.result()
   * ```
   */
  job<Result extends object = Record<string, unknown>, Data = unknown>(jobId: string): Job<Result, Data>
  /** Calls the listener with the new list whenever the tools of this app change. Returns how to unsubscribe. */
  onChanged(listener: ToolsChanged): () => void
}

/** Makes them, for the document that is open when they are called. */
export function createTools(open: () => JobParts & Pick<EventHub, 'on'>): ToolsExtras {
  return {
    // What the job returns is what its tool says, which only the caller's program knows.
    async invokeAsyncAwait<Data>(args: object, options?: JobWaitOptions<Data>): Promise<never> {
      if (options?.signal?.aborted) throw abortedBefore()
      // The signal does not go with the call: only its answer tells which job to cancel.
      const parts = open()
      const start = async () => (await parts.rpc.tools.invokeAsync(args as ToolsInvokeAsyncArgs)).jobId
      return await awaitJob<never, Data>(parts, { start, firstMs: JOB_POLL_MS, sinceSeq: 0 }, options)
    },
    job: (jobId) => createJob(open(), jobId),
    onChanged(listener) {
      const { rpc, on } = open()
      return onToolsChanged(rpc.tools, on, listener)
    },
  }
}
