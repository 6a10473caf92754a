import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { openCallIds } from './call-ids.ts'
import type { WireNames } from './wire-names.ts'

type Message = Exclude<LanguageModelV4Message, { role: 'system' }>
type Part = Message['content'][number]

/** Between the results of tools and what a user says next there has to be an answer, and none came. */
const CUT_OFF = 'The answer was cut off.'
/** A question must not be empty. */
const EMPTY = '(no text)'
const GAP = '\n\n'

/**
 * A prompt as the strictest servers take it: one system message, first; no empty content; roles that take turns, also
 * after runs that failed, were cancelled or came to nothing; calls with objects as arguments, and an id of their own.
 */
export function tidyPrompt(prompt: LanguageModelV4Prompt, names: WireNames): LanguageModelV4Prompt {
  const ids = openCallIds()
  const system = prompt.filter((message) => message.role === 'system')
  const tidy: Message[] = []
  const others = prompt.filter((message) => message.role !== 'system')
  for (const [at, message] of others.entries()) {
    const parts = message.content.filter(isSaid).map((part) => wirePart(part, names, ids))
    const isAsked = parts.length === 0 && message.role === 'user' && at === others.length - 1
    if (isAsked) parts.push({ type: 'text', text: EMPTY })
    if (parts.length > 0) add(tidy, { ...message, content: parts } as Message) // its parts are those of its role
  }
  const texts = system.map(({ content }) => content).filter((text) => text.trim() !== '')
  const [first] = system
  return first && texts.length > 0 ? [{ ...first, content: texts.join(GAP) }, ...tidy] : tidy
}

function add(tidy: Message[], message: Message): void {
  const last = tidy.at(-1)
  if (last?.role === message.role) {
    const content = [...last.content, ...message.content].reduce<Part[]>(joined, [])
    tidy[tidy.length - 1] = { ...last, content } as Message // both have the same role
    return
  }
  if (last?.role === 'tool' && message.role === 'user')
    tidy.push({ role: 'assistant', content: [{ type: 'text', text: CUT_OFF }] })
  tidy.push({ ...message, content: [...message.content].reduce<Part[]>(joined, []) } as Message) // as above
}

/** Texts that follow each other become one: servers take one text in places where they take no list. */
function joined(parts: Part[], part: Part): Part[] {
  const last = parts.at(-1)
  if (last?.type !== 'text' || part.type !== 'text' || last.providerOptions || part.providerOptions)
    return [...parts, part]
  return [...parts.slice(0, -1), { ...last, text: last.text + GAP + part.text }]
}

const isSaid = (part: Part): boolean =>
  (part.type !== 'text' && part.type !== 'reasoning') || part.text.trim() !== ''

function wirePart(part: Part, names: WireNames, ids: ReturnType<typeof openCallIds>): Part {
  if (part.type === 'tool-call') {
    const { input, toolCallId, toolName } = part
    return { ...part, toolCallId: ids.call(toolCallId), toolName: names.wire(toolName), input: fields(input) }
  }
  if (part.type !== 'tool-result') return part
  return { ...part, toolCallId: ids.result(part.toolCallId), toolName: names.wire(part.toolName) }
}

/** A model may have called a tool with anything; what is no object is refused with each later request. */
const fields = (input: unknown): unknown =>
  typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { input }
