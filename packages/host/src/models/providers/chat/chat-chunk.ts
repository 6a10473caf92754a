import { type Fields, fieldsOf, listOf, textOf } from '../members.ts'

/** The first choice of an event, in the form of OpenAI's protocol or of Ollama's own; `null` where it has none. */
export function choiceOf(chunk: Fields): Fields | null {
  const [choice] = listOf(chunk.choices)
  if (choice !== undefined) return fieldsOf(choice)
  const { message, response, done, done_reason } = chunk
  if ((typeof message !== 'object' || message === null) && typeof response !== 'string') return null
  const finish_reason = done === true ? (textOf(done_reason) ?? 'stop') : null
  return { message, text: response, thinking: chunk.thinking, finish_reason }
}

/** Where servers put what is new. One answer is read from one of them, for some servers repeat it in another. */
export const places = ['delta', 'message', 'text'] as const
/** One of them. */
export type Place = (typeof places)[number]

/** What a choice has in a place; a choice of old completions has its text itself, and others may have it so too. */
export function saidAt(choice: Fields, place: Place): Fields {
  const said = choice[place]
  return typeof said === 'string' ? { content: said, thinking: choice.thinking } : fieldsOf(said)
}

/** An event without what gateways put around an answer. */
export function unwrapped(event: Fields): Fields {
  if (event.choices !== undefined) return event
  const { data, result, output } = event
  return [data, result, output].map(fieldsOf).find(({ choices }) => Array.isArray(choices)) ?? event
}

/** The text of content: a text, or a list of parts. */
export function contentOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (typeof content === 'number') return String(content)
  return Array.isArray(content) ? content.map(partText).join('') : partText(content)
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part
  const { type, text } = fieldsOf(part)
  return type === 'thinking' || type === 'reasoning' ? '' : (textOf(text) ?? '')
}

/** The names under which servers tell what a model thinks; the first that has a text counts. */
const thoughts = ['reasoning_content', 'reasoning', 'thinking', 'reasoning_text'] as const

/** What the model thinks: a member of its own, details of it, or parts of the content. */
export function thoughtOf(said: Fields): string {
  for (const name of thoughts) {
    const thought = textOf(said[name])
    if (thought !== null) return thought
  }
  // Each token is asked this, and nearly none has such a list.
  if (!Array.isArray(said.reasoning_details) && !Array.isArray(said.content)) return ''
  return [...listOf(said.reasoning_details), ...listOf(said.content)].map(thoughtPart).join('')
}

function thoughtPart(part: unknown): string {
  const { type, thinking, text, summary } = fieldsOf(part)
  if (type === 'thinking') return textOf(thinking) ?? contentOf(thinking)
  if (typeof type !== 'string' || !type.startsWith('reasoning')) return ''
  return textOf(text) ?? textOf(summary) ?? ''
}
