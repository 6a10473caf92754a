import type { Limits } from '@svc/contract/limits'
import { JSONRPC } from '@svc/contract/stdio'
import type { Clock } from './clock.ts'
import { judge, lineTooLong } from './judge.ts'
import { type CallInput, type CallOutcome, type Failure, failure } from './link.ts'
import type { NoPlace, Place, Pool } from './pool.ts'
import { type Answer, fieldsOf } from './talk.ts'
import type { Worker } from './worker.ts'

/** What calls and describes work with. */
export interface Desk {
  readonly clock: Clock
  readonly limits: Limits
  readonly pool: Pool
}

/** One request to a process, whatever it asks. */
export interface Question {
  readonly id: string
  /** The line, without its line feed. */
  readonly line: string
  /** Unix ms: the last moment at which an answer is taken. */
  readonly untilMs: number
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: CallInput['onProgress']
  /** Whether the process is ended after the answer instead of being kept warm. */
  readonly once?: boolean
}

/** One call's life, from top to bottom: a line, a process, an answer, a code. */
export async function call(input: CallInput, desk: Desk): Promise<CallOutcome> {
  const line = callLine(input)
  const bytes = Buffer.byteLength(line)
  if (bytes > desk.limits.LINE_MAX_BYTES) return lineTooLong(bytes, desk.limits)

  const wish = desk.pool.acquire(input)
  const place = wish instanceof Promise ? await wish : wish
  if (typeof place === 'string') return noPlace(place, input.plugin.id)

  const { invokeId: id, deadlineMs, graceMs, signal, onProgress } = input
  const answer = await askWithin(place, { id, line, untilMs: deadlineMs + graceMs, signal, onProgress }, desk)
  if (answer.kind === 'late' || isLate(answer, input, desk.clock))
    return failure('tool_timeout', `${input.tool} did not answer in ${input.timeoutMs} ms.`)
  if (answer.kind === 'aborted') return noPlace('aborted', input.plugin.id)
  if (answer.kind === 'ended' && desk.pool.isClosed) return noPlace('closed', input.plugin.id)
  return judge(answer, input.maxResultBytes, desk.limits)
}

/** Whether the plugin says, after the deadline, that it stopped because of it; earlier it cannot know. */
function isLate(answer: Answer, { deadlineMs }: CallInput, clock: Clock): boolean {
  if (answer.kind !== 'reply' || clock.now() < deadlineMs) return false
  return fieldsOf(fieldsOf(answer.message.error)?.data)?.name === 'tool_timeout'
}

/** The sentence for a wait that ended without a process. */
export function noPlace(why: NoPlace, plugin: string): Failure {
  if (why === 'aborted') return failure('cancelled', 'The call was cancelled.')
  if (why === 'closed') return failure('agent_unavailable', 'The runner is closing.', { retriable: true })
  return failure('plug_unavailable', `No process of ${plugin} became free before the deadline.`, {
    retriable: true,
  })
}

/**
 * Asks and waits until the answer, the deadline or the abort, whichever comes first, and gives the process back
 * or sends it on its way out: what ended late may still be working, so it is never used again.
 */
export async function askWithin(place: Place, question: Question, { limits, pool }: Desk): Promise<Answer> {
  const { talk, alarm } = place.worker
  const { id, signal, untilMs } = question
  const onAbort = () => talk.giveUp('aborted')
  signal?.addEventListener('abort', onAbort)
  alarm.set(untilMs, () => talk.giveUp('late'))
  const answer = await talk.ask(id, question.line, question.onProgress)
  alarm.clear()
  signal?.removeEventListener('abort', onAbort)

  if (answer.kind === 'late') pool.drop(place, stopWork(place.worker, id, 'timeout', limits))
  else if (answer.kind === 'aborted') pool.drop(place, stopWork(place.worker, id, reasonOf(signal), limits))
  else if (question.once) pool.drop(place, place.worker.retire())
  else pool.release(place)
  return answer
}

/** A `cancel` line, a moment to end or answer (which nobody waits for, so it ends the process), then the kill. */
async function stopWork(worker: Worker, id: string, reason: string, limits: Limits): Promise<void> {
  worker.talk.cancel(id, reason)
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limits.CANCEL_KILL_MS)
  })
  await Promise.race([worker.ended, patience])
  clearTimeout(timer)
  await worker.kill()
}

function reasonOf(signal: AbortSignal | undefined): string {
  return typeof signal?.reason === 'string' ? signal.reason : 'cancelled'
}

function callLine(input: CallInput): string {
  const { invokeId, tool, args, timeoutMs, deadlineMs } = input
  const id = JSON.stringify(invokeId)
  return (
    `{"jsonrpc":"${JSONRPC}","id":${id},"method":"call","params":{"name":${JSON.stringify(tool)},"args":${JSON.stringify(args ?? {})},` +
    `"timeout":${timeoutMs},"deadline_ms":${deadlineMs},"context":{"invoke_id":${id}}}}`
  )
}
