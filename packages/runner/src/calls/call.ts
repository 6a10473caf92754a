import type { Limits } from '@svc/contract/limits'
import { JSONRPC, NOT_TAKEN } from '@svc/contract/stdio'
import type { Clock } from '@svc/node'
import { fieldsOf } from '../lines/fields.ts'
import {
  argsText,
  type CallInput,
  type CallOutcome,
  type Failure,
  failure,
  type WithCommand,
} from '../port/runner.ts'
import { type Answer, hasMessage } from './answer.ts'
import { ask, type ProcessQuestion, stopAfter } from './ask.ts'
import { judge, lineTooLong } from './judge.ts'
import type { Pool } from './pool.ts'
import type { AcquireFailure, PooledProcess, ProcessRequest } from './process-request.ts'
import { failedSubcall, openSubcalls, type SubcallGate } from './subcalls.ts'
import type { Worker } from './worker.ts'

/** What calls and describes work with. */
export interface CallParts {
  readonly clock: Clock
  readonly limits: Limits
  readonly pool: Pool
}

/** One call's life, from top to bottom: a line, a process, an answer, a code. */
export async function call(input: WithCommand<CallInput>, desk: CallParts): Promise<CallOutcome> {
  const line = callLine(input)
  const bytes = Buffer.byteLength(line)
  if (bytes > desk.limits.LINE_MAX_BYTES) return lineTooLong(bytes, desk.limits)

  const { invokeId: id, deadlineMs, graceMs, signal } = input
  let subcalls: SubcallGate | undefined
  let asked: Worker | undefined
  const answer = await askPooled(input, desk, ({ worker }) => {
    asked = worker
    const { folder } = worker
    subcalls = input.subcalls && openSubcalls(input.subcalls, { ...desk, deadlineMs, folder })
    const isOver = (reply: Answer) => failedLate(reply, input, desk.clock)
    return { id, line, untilMs: deadlineMs + graceMs, signal, subcalls, isOver }
  })
  if (typeof answer === 'string') return acquireProblem(answer, input.plugin.id, input.session)
  const explained = (outcome: CallOutcome) => asked?.explain(outcome) ?? outcome
  if (answer.kind === 'late' || isLate(answer, input, desk.clock))
    return explained(timeoutProblem(input.tool, input.timeoutMs))
  if (answer.kind === 'aborted') return acquireProblem('aborted', input.plugin.id)
  if (answer.kind === 'ended' && desk.pool.isClosed) return acquireProblem('closed', input.plugin.id)
  return failedSubcall(answer, subcalls) ?? explained(await judge(answer, input.maxResultBytes, desk.limits))
}

/** Whether the plugin says, after the deadline, that it stopped because of it; earlier it cannot know. */
function isLate(answer: Answer, { deadlineMs }: Pick<CallInput, 'deadlineMs'>, clock: Clock): boolean {
  if (!hasMessage(answer) || clock.now() < deadlineMs) return false
  return fieldsOf(fieldsOf(answer.message.error)?.data)?.name === 'tool_timeout'
}

/** Whether a plugin failed at its deadline: it answers, but some of what it began may go on. */
function failedLate(answer: Answer, { deadlineMs }: Pick<CallInput, 'deadlineMs'>, clock: Clock): boolean {
  if (!hasMessage(answer) || clock.now() < deadlineMs) return false
  return answer.message.error !== undefined || fieldsOf(answer.message.result)?.success === false
}

/** The sentence for a wait that ended without a process. */
export function acquireProblem(why: AcquireFailure, plugin: string, session?: string): Failure {
  if (why === 'aborted') return failure('cancelled', 'The call was cancelled.')
  if (why === 'closed') return failure('agent_unavailable', 'The runner is closing.', { retriable: true })
  if (session !== undefined)
    return failure(
      'plug_unavailable',
      `The process that ${plugin} keeps for this window or session did not become free before the deadline: it takes one call after the other.`,
      { retriable: true },
    )
  return failure('plug_unavailable', `No process of ${plugin} became free before the deadline.`, {
    retriable: true,
  })
}

/** A question to a process of the pool. */
interface PooledQuestion extends ProcessQuestion {
  /** Whether the answer says that the process is to be ended instead of being kept warm. */
  readonly isOver?: (answer: Answer) => boolean
  /** Whether it makes no spare worth its while: the plugin was only asked what it is. */
  readonly isNoUse?: boolean
}

/**
 * Asks a process of the pool, and gives it back or sends it on its way out. One that was warm may have ended without
 * anybody knowing: where it had not read the question, the next one is asked, up to one that is fresh. A spare that was
 * started meanwhile is not fresh, so those that may have been warm are counted as well.
 */
export async function askPooled(
  wish: ProcessRequest,
  { limits, pool }: CallParts,
  questionFor: (place: PooledProcess) => PooledQuestion,
): Promise<Answer | AcquireFailure> {
  for (let warm = limits.POOL_PER_PLUGIN; ; warm--) {
    const place = await pool.acquire(wish)
    if (typeof place === 'string') return place
    // The place was taken a turn ago, and the call may have been given up since: then the process is not asked.
    if (wish.signal?.aborted) {
      pool.release(place)
      return 'aborted'
    }
    const { worker, isFresh } = place
    const question = questionFor(place)
    const answer = await ask(worker, question, limits)
    const untaken = isUntaken(answer)
    const isOver = untaken || question.isOver?.(answer)
    const end = stopAfter(answer, worker, question, limits) ?? (isOver && worker.retire())
    if (end) pool.drop(place, end)
    else pool.release(place, question.isNoUse)
    if (isFresh || !untaken || warm === 0) return answer
  }
}

/** Whether a process never began with what it was asked: its end says so, or it does. */
function isUntaken(answer: Answer): boolean {
  if (answer.kind === 'ended') return answer.unread
  if (!hasMessage(answer)) return false
  return fieldsOf(fieldsOf(answer.message.error)?.data)?.name === NOT_TAKEN
}

/** The sentence for an answer that did not come before the deadline. */
export function timeoutProblem(tool: string, timeoutMs: number): Failure {
  return failure('tool_timeout', `${tool} did not answer in ${timeoutMs} ms.`)
}

/** The line that asks for a call or a job. */
export function callLine(
  input: Pick<CallInput, 'invokeId' | 'tool' | 'args' | 'argsJson' | 'timeoutMs' | 'deadlineMs' | 'subcalls'>,
): string {
  const { invokeId, tool, timeoutMs, deadlineMs, subcalls } = input
  const id = JSON.stringify(invokeId)
  const token = subcalls ? `,"sampling_token":${JSON.stringify(subcalls.samplingToken)}` : ''
  return (
    `{"jsonrpc":"${JSONRPC}","id":${id},"method":"call","params":{"name":${JSON.stringify(tool)},"args":${argsText(input)},` +
    `"timeout":${timeoutMs},"deadline_ms":${deadlineMs},"context":{"invoke_id":${id}${token}}}}`
  )
}
