import { type Message, textOf } from './body.ts'

const GAP = '\n\n'

/** Messages whose roles take turns: those of one role that follow each other become one, but for results of tools. */
export function mergeRoles(messages: readonly Message[]): Message[] {
  const merged: Message[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (last?.role === message.role && message.role !== 'tool')
      merged[merged.length - 1] = joined(last, message)
    else merged.push(message)
  }
  return merged
}

function joined(one: Message, other: Message): Message {
  const calls = [...(one.tool_calls ?? []), ...(other.tool_calls ?? [])]
  const isText = [one, other].every(({ content }) => typeof content === 'string' || content == null)
  const texts = [textOf(one.content), textOf(other.content)].filter(Boolean)
  return {
    ...one,
    content: isText ? texts.join(GAP) || null : [...partsOf(one), ...partsOf(other)],
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

const partsOf = ({ content }: Message) =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
