/** The body of a request, in the protocol of OpenAI. */
export interface Body {
  readonly [field: string]: unknown
  readonly messages: readonly Message[]
  readonly tools?: readonly Tool[] | undefined
}

/** One message of a body. */
export interface Message {
  readonly [field: string]: unknown
  readonly role: string
  readonly content?: string | readonly ContentPart[] | null
  readonly tool_calls?: readonly ToolCall[] | undefined
}

/** One part of a content that is a list. */
export interface ContentPart {
  readonly [field: string]: unknown
  readonly type: string
  readonly text?: string
}

/** One call of a tool. */
export interface ToolCall {
  readonly [field: string]: unknown
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

/** One tool. */
export interface Tool {
  readonly [field: string]: unknown
  readonly function: {
    readonly [field: string]: unknown
    readonly name: string
    readonly parameters?: unknown
  }
}

/** The text of a content; what is not text is left out. */
export const textOf = (content: Message['content']): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n\n')

/** A body with other messages. */
export const withMessages = (body: Body, change: (message: Message) => readonly Message[]): Body => ({
  ...body,
  messages: body.messages.flatMap(change),
})
