import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'

type Message = LanguageModelV4Prompt[number]

/** What an image is counted as, in bytes of text: servers count one as some hundred to some thousand tokens. */
const IMAGE_BYTES = 4_096

/** What the template of a model adds to each message, in bytes of text. */
const MESSAGE_BYTES = 16

/** A request in its parts. Sizes are in bytes of text. */
export interface Measured {
  /** The system text, the tools and the newest turn. */
  readonly fixedBytes: number
  /** The turns before, the oldest first: a question with all that followed it. */
  readonly turns: readonly { readonly messages: readonly Message[]; readonly bytes: number }[]
  readonly system: readonly Message[]
  readonly newest: readonly Message[]
}

/** Measures what a model is asked. */
export function measure({ prompt, tools = [] }: LanguageModelV4CallOptions): Measured {
  const system = prompt.filter(({ role }) => role === 'system')
  const turns: Message[][] = []
  for (const message of prompt.filter(({ role }) => role !== 'system'))
    if (message.role === 'user' || turns.length === 0) turns.push([message])
    else turns.at(-1)?.push(message)
  const newest = turns.pop() ?? []
  return {
    system,
    newest,
    fixedBytes: sum(system) + sum(newest) + Buffer.byteLength(JSON.stringify(tools)),
    turns: turns.map((messages) => ({ messages, bytes: sum(messages) })),
  }
}

const sum = (messages: readonly Message[]): number =>
  messages.reduce((bytes, one) => bytes + bytesOf(one) + MESSAGE_BYTES, 0)

function bytesOf({ content }: Message): number {
  if (typeof content === 'string') return Buffer.byteLength(content)
  return content.reduce((bytes, part) => {
    if (part.type === 'file') return bytes + IMAGE_BYTES
    return bytes + Buffer.byteLength(part.type === 'text' ? part.text : JSON.stringify(part, withoutBytes))
  }, 0)
}

/** Leaves the bytes of images out of a text: a result of a tool may have some. */
const withoutBytes = (_name: string, value: unknown): unknown =>
  Object(value).type === 'data' && 'data' in Object(value) ? undefined : value
