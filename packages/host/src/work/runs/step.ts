import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import type { HistoryMessage, HistoryPart, Usage } from '@svc/contract'

type Call = Extract<HistoryPart, { type: 'tool_call' }>
type Result = Extract<HistoryPart, { type: 'tool_result' }>

/** One time that the model was asked: what it said, which tools it called, and how those ended. */
export interface Step {
  /** Guessed from what the model was sent. */
  readonly inputTokens: number
  text: string
  readonly calls: Call[]
  readonly results: Result[]
  /** What the model reported at its end; `null` before it. */
  finish: Pick<LanguageModelV4GenerateResult, 'finishReason' | 'usage'> | null
  usage: Usage | null
  /** Whether its messages were written down. */
  isKept: boolean
}

/** A step that has said nothing yet. */
export const newStep = (inputTokens: number): Step => ({
  inputTokens,
  text: '',
  calls: [],
  results: [],
  finish: null,
  usage: null,
  isKept: false,
})

const unanswered = ({ tool_call_id, name }: Call): Result => ({
  type: 'tool_result',
  tool_call_id,
  name,
  error: { code: 'cancelled', message: 'the run ended before the tool had answered' },
})

/**
 * The messages of a step, each call with its result: a model that is given one without the other refuses the whole.
 * `isCut`: the step was cut off.
 */
export function messagesOf({ text, calls, results }: Step, run_id: string, isCut: boolean): HistoryMessage[] {
  if (text === '' && calls.length === 0) return []
  const said: HistoryPart[] = [...(text === '' ? [] : [{ type: 'text', text } as const]), ...calls]
  const assistant: HistoryMessage = {
    role: 'assistant',
    content: calls.length === 0 ? text : said,
    run_id,
    ...(isCut && { aborted: true }),
  }
  if (calls.length === 0) return [assistant]
  const answers = calls.map(
    (call) => results.find((one) => one.tool_call_id === call.tool_call_id) ?? unanswered(call),
  )
  return [assistant, { role: 'tool', content: answers, run_id }]
}
