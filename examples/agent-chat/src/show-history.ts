import type { HistoryMessage } from '@svc/sdk'
import { type Answer, createAnswer, createQuestion } from './message.ts'
import type { ToolOutcome } from './tool-card.ts'
import type { Turns } from './turns.ts'

/** A part of a message in which tools were called. */
interface Part extends ToolOutcome {
  readonly type: 'text' | 'tool_call' | 'tool_result'
  readonly text?: string
  readonly tool_call_id?: string
  readonly name?: string
  /** JSON text. */
  readonly arguments?: string
}

const partsOf = ({ content }: HistoryMessage): readonly Part[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content as readonly object[] as Part[])

/**
 * Shows what was said before, run by run; a run has one answer, however often it called tools. The answer of `live`
 * comes from its frames.
 */
export function showHistory(messages: readonly HistoryMessage[], turns: Turns, live?: string): void {
  for (const [run, said] of Map.groupBy(messages, ({ run_id }) => run_id)) {
    const [asked, others] = [said.filter(isAsked), said.filter((message) => !isAsked(message))]
    for (const message of asked)
      turns.add(
        createQuestion(
          partsOf(message)
            .map(({ text = '' }) => text)
            .join(''),
        ),
      )
    if (run === live) continue
    const answer = createAnswer()
    turns.add(answer.element)
    for (const message of others) showMessage(message, answer)
    if (others.length === 0) answer.mark('No answer was kept: it failed, or was stopped before it began.')
  }
}

const isAsked = ({ role }: HistoryMessage) => role === 'user'

function showMessage(message: HistoryMessage, answer: Answer): void {
  for (const part of partsOf(message)) {
    const { type, text = '', tool_call_id = '', name = '', arguments: args = '' } = part
    if (type === 'text') answer.say(text)
    else if (type === 'tool_call') answer.call(tool_call_id, name, args)
    else answer.result(tool_call_id, part)
  }
  if (message.aborted) answer.mark('Cut off here.')
}

/**
 * The run that may still be under way: the one that this window asked for, where nothing was said after it, else the
 * last one, where it has no whole answer.
 */
export function runUnderWay(messages: readonly HistoryMessage[], asked: string | undefined): string | null {
  const newest = messages.at(-1)
  const isNewest = newest?.run_id === asked || !messages.some(({ run_id }) => run_id === asked)
  if (asked !== undefined && isNewest) return asked
  return newest && newest.role !== 'assistant' ? newest.run_id : null
}
