import { built } from './row.ts'

/** Tool jobs. The table of states stands; the methods come with their handlers. */
export const jobs = [
  ...built('docs/guides/jobs.md', {
    'ids.job': 'A job id is tjob_ and 32 lower-case hexadecimal digits.',
  }),
  ...built('docs/reference/states.md', {
    'states.job.names': 'The table of jobs has the states of the protocol and no other.',
    'states.job.terminal': 'succeeded, failed, cancelled and expired are left by nothing.',
    'states.job.start': 'The table leads a queued job to running when it starts.',
    'states.job.finish': 'The table leads a running job to succeeded or to failed.',
    'states.job.expire': 'The table leads a queued and a running job to expired at the deadline.',
    'states.job.cancel': 'The table leads a queued and a running job to cancelled.',
  }),
  ...built('0008-a-process-per-call', {
    'job.cancel.kill': 'The process group of a cancelled job is killed after half a second.',
  }),
  ...built('docs/reference/stdio.md', {
    'job.progress.rate': 'At most 50 progress events a second of one job are taken.',
    'job.progress.size': 'A progress event has at most 8 KB.',
  }),
  ...built('docs/guides/jobs.md', {
    'job.snapshot.invoke_id': 'The id of a job is the invoke id that the plugin reads.',
  }),
  ...built('docs/reference/methods.md', {
    'job.snapshot.fields': 'A snapshot carries id, tool, state, times, deadline, tag and progress.',
  }),
  ...built('docs/guides/jobs.md', {
    'job.snapshot.result': 'A snapshot carries a result only when the job succeeded.',
    'job.snapshot.error': 'A snapshot of a failed, cancelled or expired job carries a structured error.',
  }),
  ...built('docs/reference/methods.md', {
    'job.snapshot.progress': 'Progress in a snapshot is what came after sinceSeq.',
  }),
  ...built('docs/reference/events.md', {
    'job.event.shape': 'tool_job carries job, tool, state, seq, event and terminal.',
    'job.event.no_result': 'tool_job never carries the result.',
  }),
  ...built('docs/reference/methods.md', {
    'job.create.result': 'invokeAsync answers the job id, queued and the deadline.',
  }),
  ...built('docs/reference/events.md', {
    'job.create.event': 'A new job is announced by tool_job.',
  }),
  ...built('docs/guides/jobs.md', {
    'job.run': 'A queued job runs when the runner starts its command.',
    'job.success.stored': 'The result of a job that succeeded is stored.',
    'job.failure.error': 'A failure of the plugin becomes the structured error of the job.',
    'job.expire.error': 'A job past its deadline is expired with tool_timeout.',
    'job.expire.cancels': 'A job past its deadline is cancelled on the machine that runs it.',
    'job.cancel.immediate': 'cancelJob moves the row before the process has ended.',
  }),
  ...built('0027-a-job-ends-once', {
    'job.cancel.reason': 'The reason of a cancel stands in the message of the error.',
    'job.cancel.terminal': 'cancelJob of a job that has ended changes nothing and answers cancelled: false.',
  }),
  ...built('docs/guides/jobs.md', {
    'job.result.cap': 'A result over 256 KB fails the job with result_too_large.',
  }),
  ...built('docs/reference/methods.md', {
    'tools.invokeAsync.args': 'invokeAsync takes the arguments of invoke and a clientTag.',
  }),
  ...built('0012-clamp-or-reject', {
    'tools.listJobs.since':
      'since is any time of RFC 3339, in letters of either case and with leap seconds; anything else is invalid_arg.',
  }),
  ...built('docs/reference/methods.md', {
    'tools.getJob.args': 'getJob takes jobId, sinceSeq and a limit of 1 to 500.',
    'tools.cancelJob.args': 'cancelJob takes jobId and a reason of at most 200 characters.',
    'tools.cancelJob.result': 'cancelJob answers the job, its state and whether it was cancelled.',
    'tools.listJobs.filters': 'listJobs filters by tool, state or states, tag and time.',
    'tools.listJobs.limit': 'listJobs takes a limit of 1 to 100 and uses 20 without one.',
    'tools.listJobs.lookback': 'listJobs looks back seven days at most.',
    'tools.listJobs.order': 'listJobs answers the newest first.',
    'tools.listJobs.truncated': 'listJobs says whether there was more.',
  }),
  ...built('docs/reference/limits.md', {
    'tools.invokeAsync.deadline.default': 'Without timeoutMs a job has 30 minutes.',
  }),
  ...built('0012-clamp-or-reject', {
    'tools.invokeAsync.deadline.clamped': 'The deadline of a job is moved into one minute to one day.',
  }),
  ...built('0006-timeouts-and-deadlines', {
    'tools.invokeAsync.timeout.boolean': 'A boolean as timeoutMs of a job is invalid_arg.',
  }),
  ...built('docs/guides/jobs.md', {
    'tools.invokeAsync.args.cap': 'Arguments of a job over 64 KB are invalid_arg.',
  }),
  ...built('docs/reference/methods.md', {
    'tools.invokeAsync.tag': 'A clientTag has at most 120 characters.',
  }),
  ...built('0027-a-job-ends-once', {
    'job.foreign': 'A job of another user reads as job_not_found.',
  }),
  ...built('0026-waiting-for-a-job', {
    'sdk.invokeAsyncAwait.resolves': 'invokeAsyncAwait resolves with the result of the plugin.',
    'sdk.invokeAsyncAwait.progress': 'invokeAsyncAwait hands progress to onProgress.',
    'sdk.invokeAsyncAwait.polls': 'invokeAsyncAwait polls when no event comes.',
    'sdk.invokeAsyncAwait.abort': 'An abort cancels the job and rejects with cancelled.',
  }),
  ...built('docs/guides/jobs.md', {
    'sdk.invokeAsyncAwait.codes': 'invokeAsyncAwait rejects with the code of how the job ended.',
  }),
  ...built('0026-waiting-for-a-job', {
    'sdk.invokeAsyncAwait.wait_timeout':
      'The clock of the client ends the wait with wait_timeout, not the job.',
    'decision.wait.early': 'An event of a job that has no name yet is kept until the answer names it.',
    'decision.wait.settles_once':
      'Whatever events, polls, aborts and timeouts do, a wait settles once and leaves no listener and no timer.',
    'decision.wait.outlives_host':
      'A host that is away for a while ends no wait for a job that can still live.',
    'decision.wait.reset': 'After a reset the jobs that are waited for, and the tools, are read again.',
    'decision.wait.missed': 'Progress is told once and in order; where some is lost the next says how much.',
  }),
  ...built('0079-ended-jobs', {
    'wall.jobs.kept':
      'Ended jobs are bounded for each app and each user, and so is their progress; the oldest goes first.',
    'wall.jobs.list': 'However large the results are, a list of jobs holds up nobody else.',
    'wall.jobs.uninstalled': 'What an app has under way is cancelled when its user uninstalls it.',
  }),
  ...built('0026-waiting-for-a-job', {
    'design.sdk.job': 'svc.tools.job finds a job by its id, in another document too.',
    'design.sdk.job.progress':
      'The progress of a job can be read in a loop, which ends with the job or when it is left.',
    'design.sdk.job.result': 'The handle of a job waits for its result as invokeAsyncAwait does.',
    'design.sdk.supports':
      'svc.supports tells whether this host offers a method, and not_implemented hints at it.',
  }),
  ...built('docs/reference/events.md', {
    'event.tool_job': 'tool_job comes with each change of state and each progress of a job.',
  }),
  ...built('0026-waiting-for-a-job', {
    'event.tool_job.loss': 'Who misses a tool_job learns all of it from getJob.',
  }),
  ...built('0027-a-job-ends-once', {
    'event.tool_job.no_heartbeat': 'Heartbeats of a job are not sent as events.',
  }),
  ...built('docs/guides/jobs.md', {
    'job.progress.kept': 'The latest 500 progress events of a job are kept.',
  }),
] as const
