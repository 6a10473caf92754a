import type { Limits } from '@svc/contract/limits'
import type { ProgressGate } from '../port/progress.ts'
import { type Answer, isOfServer } from './answer.ts'
import type { SubcallGate } from './subcalls.ts'
import type { Worker } from './worker.ts'

/** One request to a process, whatever it asks. */
export interface ProcessQuestion {
  readonly id: string
  /** The line, without its line feed. */
  readonly line: string
  /** Unix ms: the last moment at which an answer is taken. */
  readonly untilMs: number
  readonly signal?: AbortSignal | undefined
  readonly progress?: ProgressGate
  /** Closed with the answer. */
  readonly subcalls?: SubcallGate | undefined
}

/** Asks and waits until the answer, the deadline or the abort, whichever comes first. The signal has not fired yet. */
export async function ask(worker: Worker, question: ProcessQuestion, limits: Limits): Promise<Answer> {
  const { talk, alarm } = worker
  const { signal, subcalls } = question
  const onAbort = () => talk.giveUp('aborted')
  signal?.addEventListener('abort', onAbort)
  alarm.set(question.untilMs, () => talk.giveUp('late'))
  const answer = await talk.ask(question.id, question.line, question.progress, subcalls)
  subcalls?.close()
  alarm.clear()
  signal?.removeEventListener('abort', onAbort)
  if (!isOfServer(answer)) return answer
  // It is on its way: stderr is another pipe.
  await worker.endedWithin(limits.DRAIN_MS)
  return { ...answer, stderr: worker.lastWords() }
}

/**
 * Ends a process that did not answer in time, or returns nothing if it did. What ended late may still be working, so it
 * is never used again.
 */
export function stopAfter(
  answer: Answer,
  worker: Worker,
  { id, signal }: ProcessQuestion,
  limits: Limits,
): Promise<void> | undefined {
  if (answer.kind === 'late') return stopWork(worker, id, 'timeout', limits)
  if (answer.kind === 'aborted') return stopWork(worker, id, reasonOf(signal), limits)
  return undefined
}

/** A `cancel` line, a moment to end or answer (which nobody waits for, so it ends the process), then the kill. */
async function stopWork(worker: Worker, id: string, reason: string, limits: Limits): Promise<void> {
  worker.talk.cancel(id, reason)
  await worker.endedWithin(limits.CANCEL_KILL_MS)
  await worker.kill()
}

function reasonOf(signal: AbortSignal | undefined): string {
  return typeof signal?.reason === 'string' ? signal.reason : 'cancelled'
}
