import type { Limits } from '@svc/contract/limits'
import { type Clock, every } from '@svc/node'
import { roomFor } from '../lines/payload.ts'
import { openProgress } from '../port/progress.ts'
import type { CallOutcome, JobInput, WithCommand } from '../port/runner.ts'
import { ask, stopAfter } from './ask.ts'
import { acquireProblem, callLine, timeoutProblem } from './call.ts'
import type { JobProcesses } from './job-processes.ts'
import { judge, lineTooLong } from './judge.ts'
import { failedSubcall, openSubcalls } from './subcalls.ts'

/** What jobs work with. */
export interface JobParts {
  readonly clock: Clock
  readonly limits: Limits
  readonly jobProcesses: JobProcesses
}

/** One job's life, from top to bottom: a line, a process of its own, an answer, a code. */
export async function job(
  input: WithCommand<JobInput>,
  { clock, limits, jobProcesses }: JobParts,
): Promise<CallOutcome> {
  const { plugin, tool, jobId: id, timeoutMs, deadlineMs, signal } = input
  const isLate = () => clock.now() >= deadlineMs
  const line = callLine({ ...input, invokeId: id })
  const bytes = Buffer.byteLength(line)
  if (bytes > limits.LINE_MAX_BYTES) return lineTooLong(bytes, limits)
  if (signal.aborted) return acquireProblem('aborted', plugin.id)
  if (isLate()) return timeoutProblem(tool, timeoutMs)
  const worker = jobProcesses.start(plugin, { userId: input.userId, keepBytes: keptBytes(input, limits) })
  if (!worker) return acquireProblem('closed', plugin.id)

  const progress = openProgress(input, limits, clock.now)
  const subcalls =
    input.subcalls && openSubcalls(input.subcalls, { clock, limits, deadlineMs, folder: worker.folder })
  const question = { id, line, untilMs: deadlineMs, signal, progress, subcalls }
  const asking = ask(worker, question, limits)
  worker.onStart(input.onStarted)
  const stopBeats = every(limits.JOB_HEARTBEAT_MS, clock, () => {
    if (worker.talk.isAsked) input.onHeartbeat()
  })
  const answer = await asking
  stopBeats()
  jobProcesses.finish(worker)
  void (stopAfter(answer, worker, question, limits) ?? worker.retire())

  if (answer.kind === 'aborted') return acquireProblem('aborted', plugin.id)
  if (answer.kind === 'late' || isLate()) return timeoutProblem(tool, timeoutMs)
  if (answer.kind === 'ended' && jobProcesses.isClosed) return acquireProblem('closed', plugin.id)
  return failedSubcall(answer, subcalls) ?? worker.explain(await judge(answer, input.maxResultBytes, limits))
}

/** What is held of a line: a result, and a request where there may be any. */
function keptBytes({ maxResultBytes, subcalls }: JobInput, { SUBCALL_LINE_MAX_BYTES }: Limits): number {
  return Math.max(roomFor(maxResultBytes), subcalls ? SUBCALL_LINE_MAX_BYTES : 0)
}
