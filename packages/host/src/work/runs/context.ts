import type { HistoryPart } from '@svc/contract'
import { parseKeeping } from '@svc/contract/exact-json'
import { each } from '@svc/state'
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai'
import type { WorkServices } from '../services.ts'
import { type MessageRow, messages, partsOf } from './messages.ts'
import { modelOutput } from './tool-output.ts'

/** What a model is given of a conversation: the newest whole turns that fit `SESSION_CONTEXT_MAX_BYTES` together. */
export async function readContext(
  { limits, store }: Pick<WorkServices, 'limits' | 'store'>,
  sessionUuid: string,
): Promise<ModelMessage[]> {
  const range = { eq: [sessionUuid], order: 'desc' } as const
  const turns: MessageRow[][] = []
  let bytes = 0
  for await (const { row } of each(store, messages, 'bySession', range)) {
    bytes += Buffer.byteLength(JSON.stringify(row.content))
    // The turn that does not fit whole is left out, and so is what came before it.
    if (bytes > limits.SESSION_CONTEXT_MAX_BYTES) return whole(turns.filter((turn) => !isOf(turn, row)))
    const turn = turns.at(-1)
    if (turn && isOf(turn, row)) turn.push(row)
    else turns.push([row])
  }
  return whole(turns)
}

const isOf = (turn: readonly MessageRow[], row: MessageRow) => turn[0]?.run_id === row.run_id

/** The turns, newest first and backwards as they were read, in their order. One whose beginning is gone is left out. */
const whole = (turns: readonly (readonly MessageRow[])[]): ModelMessage[] =>
  turns
    .filter((turn) => turn.at(-1)?.role === 'user')
    .flat()
    .reverse()
    .flatMap(modelMessage)

/**
 * A call goes with its result or not at all, for a model that is given one without the other refuses the whole: of two
 * messages the second may not have come to be written.
 */
function modelMessage(row: MessageRow, at: number, rows: readonly MessageRow[]): ModelMessage[] {
  const other = row.role === 'tool' ? rows[at - 1] : rows[at + 1]
  const isPair = other?.role === (row.role === 'tool' ? 'assistant' : 'tool')
  const ids = isPair ? partsOf(other).map(callIdOf) : []
  const parts = partsOf(row).filter((part) => part.type === 'text' || ids.includes(callIdOf(part)))
  if (parts.length === 0) return []
  if (row.role === 'tool') return [{ role: 'tool', content: parts.flatMap(resultPart) }]
  if (row.role === 'assistant') return [{ role: 'assistant', content: parts.flatMap(assistantPart) }]
  return [{ role: 'user', content: parts.map((part) => (part.type === 'text' ? part.text : '')).join('') }]
}

const callIdOf = (part: HistoryPart) => (part.type === 'text' ? null : part.tool_call_id)

const assistantPart = (part: HistoryPart): Exclude<AssistantModelMessage['content'], string> => {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  if (part.type !== 'tool_call') return []
  const { tool_call_id, name } = part
  return [{ type: 'tool-call', toolCallId: tool_call_id, toolName: name, input: argumentsOf(part.arguments) }]
}

/** What no longer is JSON stays what it was: text. */
function argumentsOf(text: string): unknown {
  try {
    return parseKeeping(text || '{}')
  } catch {
    return text
  }
}

const resultPart = (part: HistoryPart): ToolModelMessage['content'] => {
  if (part.type !== 'tool_result') return []
  const { tool_call_id, name, error, output } = part
  return [
    {
      type: 'tool-result',
      toolCallId: tool_call_id,
      toolName: name,
      output: error
        ? { type: 'error-text', value: `${error.code}: ${error.message}` }
        : modelOutput(output ?? null, false),
    },
  ]
}
