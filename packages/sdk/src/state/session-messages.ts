import type { HistoryMessage, HistoryPart } from '@svc/contract/client'
import type { HostRpcError } from '../errors.ts'

/** What one side of a session said in a turn. */
export interface SessionMessage {
  /** Tells it from the other messages of the list, as a key does. */
  readonly id: string
  /** Who said it. */
  readonly role: 'user' | 'assistant'
  /** All of its text; it grows while it streams. */
  readonly text: string
  /** Text, calls of tools and how they ended, in their order. */
  readonly parts: readonly HistoryPart[]
  /** Whether more of it comes, and how it ended. */
  readonly state: 'running' | 'done' | 'cancelled' | 'failed'
  /** The run that it belongs to, once the host has accepted it. */
  readonly runId: string | undefined
  /** Why it failed. */
  readonly error: HostRpcError | undefined
}

/** Makes a message that has nothing in it yet, or all of it. */
export const createMessage = (
  message: Pick<SessionMessage, 'id' | 'role' | 'state' | 'runId'>,
  parts: readonly HistoryPart[] = [],
): SessionMessage =>
  parts.reduce(addPart, { ...message, text: '', parts: [], error: undefined } as SessionMessage)

/** Adds a part: a piece of text to the text before it, anything else behind it. */
export function addPart(message: SessionMessage, part: HistoryPart): SessionMessage {
  if (part.type !== 'text') return { ...message, parts: [...message.parts, part] }
  const last = message.parts.at(-1)
  const isNew = last?.type !== 'text'
  const before = isNew ? message.parts : message.parts.slice(0, -1)
  const text = isNew ? part.text : last.text + part.text
  return { ...message, text: message.text + part.text, parts: [...before, { type: 'text', text }] }
}

const partsOf = ({ content }: HistoryMessage): readonly HistoryPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

/** The messages of a history: what model and tools said in one run is one message. */
export function messagesOf(history: readonly HistoryMessage[]): SessionMessage[] {
  const messages: SessionMessage[] = []
  for (const item of history) {
    const runId = item.run_id
    const role = item.role === 'user' ? 'user' : 'assistant'
    const state = item.aborted ? 'cancelled' : 'done'
    const last = messages.at(-1)
    if (last?.runId === runId && last.role === role)
      messages[messages.length - 1] = partsOf(item).reduce(addPart, { ...last, state })
    else messages.push(createMessage({ id: `${runId}/${role}`, role, state, runId }, partsOf(item)))
  }
  return messages
}
