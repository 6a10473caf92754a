import { type Body, type Message, textOf, withMessages } from './body.ts'
import { mergeRoles } from './merge-roles.ts'

/** A body whose calls and results are told in words, for a model that knows no tools. */
export function toolsAsText(body: Body): Body {
  const names = new Map<unknown, string>()
  const { messages } = withMessages(body, (message) => [inWords(message, names)])
  return { ...body, messages: mergeRoles(messages) }
}

function inWords(message: Message, names: Map<unknown, string>): Message {
  const { role, content, tool_calls, ...rest } = message
  if (role === 'tool') {
    const name = names.get(message.tool_call_id) ?? 'a tool'
    return { role: 'user', content: `The result of ${name}: ${textOf(content)}` }
  }
  if (!tool_calls) return message
  for (const { id, function: called } of tool_calls) names.set(id, called.name)
  const calls = tool_calls.map(({ function: called }) => `I call ${called.name} with ${called.arguments}.`)
  return { ...rest, role, content: [textOf(content), ...calls].filter(Boolean).join('\n') }
}

/** A body without system messages: their text stands before the first question. */
export function systemAsText(body: Body): Body {
  const system = body.messages.filter(({ role }) => role === 'system')
  if (system.length === 0) return body
  const rest = body.messages.filter(({ role }) => role !== 'system')
  const question: Message = {
    role: 'user',
    content: system.map(({ content }) => textOf(content)).join('\n\n'),
  }
  return { ...body, messages: mergeRoles([question, ...rest]) }
}
