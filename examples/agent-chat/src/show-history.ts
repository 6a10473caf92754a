import type { HistoryMessage, HistoryPart } from '@svc/sdk'
import { type Answer, createAnswer, createQuestion } from './message.ts'
import type { Turns } from './turns.ts'

const partsOf = ({ content }: HistoryMessage): readonly HistoryPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

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
            .map((part) => (part.type === 'text' ? part.text : ''))
            .join(''),
        ),
      )
    if (run === live) continue
    const answer = createAnswer()
    turns.add(answer.element)
    for (const message of others) showMessage(message, answer)
    if (others.length === 0) answer.mark('There is no answer: it failed, or was stopped before it began.')
  }
}

const isAsked = ({ role }: HistoryMessage) => role === 'user'

function showMessage(message: HistoryMessage, answer: Answer): void {
  for (const part of partsOf(message)) {
    if (part.type === 'text') answer.say(part.text)
    else if (part.type === 'tool_call') answer.call(part.tool_call_id, part.name, part.arguments)
    else answer.result(part.tool_call_id, part)
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
