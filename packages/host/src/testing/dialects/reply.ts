import type { IncomingHttpHeaders } from 'node:http'

/** What a scripted server does with one request. */
export interface Reply {
  /** Default 200. */
  readonly status?: number
  /** Default those of an event stream, or of JSON where it refuses. */
  readonly headers?: Readonly<Record<string, string>>
  /** What it sends, piece by piece. */
  readonly pieces?: readonly string[]
  /** What it does last: it ends the answer (default), leaves it open, or cuts the connection. */
  readonly last?: 'end' | 'hang' | 'cut'
}

/** A message as a server receives it. */
export interface SentMessage {
  readonly role: string
  readonly content?: unknown
  readonly tool_call_id?: string
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: unknown }
  }[]
}

/** The body of a request, as far as scripts look at it. */
export interface SentBody {
  readonly [field: string]: unknown
  readonly messages: readonly SentMessage[]
  readonly tools?: readonly {
    readonly type: string
    readonly function: {
      readonly name: string
      readonly description?: string
      readonly parameters?: Readonly<Record<string, unknown>>
    }
  }[]
}

/** What a server does: it is given each body, the number of the request, from 0, and where it went. */
export type Script = (
  body: SentBody,
  at: number,
  asked: { readonly path: string; readonly headers: IncomingHttpHeaders },
) => Reply

const STREAM = { 'content-type': 'text/event-stream' } as const
const JSON_TYPE = { 'content-type': 'application/json' } as const

/** One event of an answer. */
export const chunk = (delta: unknown, finish_reason: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'm-1',
  choices: [{ index: 0, delta, finish_reason }],
})

/** The events of a stream; what is no text is written as JSON. */
export const events = (...data: readonly unknown[]): Reply => ({
  headers: STREAM,
  pieces: data.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`),
})

/** Sends a text as a stream; `then`: what follows it. */
export const text = (sent: string, then: Reply = {}): Reply => ({
  ...then,
  headers: STREAM,
  pieces: [sent, ...(then.pieces ?? [])],
})

/** Sends lines of JSON. */
export const lines = (...values: readonly unknown[]): Reply => ({
  headers: { 'content-type': 'application/x-ndjson' },
  pieces: values.map((one) => `${JSON.stringify(one)}\n`),
})

/** Says a text, as OpenAI's servers do. */
export const says = (text = 'Hello'): Reply =>
  events(chunk({ role: 'assistant', content: text }), chunk({}, 'stop'), '[DONE]')

/** Calls a tool. */
export const calls = (name: string, args = '{}', id = 'call_1'): Reply =>
  events(
    chunk({ tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: args } }] }),
    chunk({}, 'tool_calls'),
    '[DONE]',
  )

/** Sends JSON that is not a stream. */
export const json = (body: unknown, status = 200): Reply => ({
  status,
  headers: JSON_TYPE,
  pieces: [JSON.stringify(body)],
})

/** Refuses with the error of OpenAI's servers. */
export const refuses = (message: string, more: object = {}, status = 400): Reply =>
  json({ error: { message, type: 'invalid_request_error', param: null, code: null, ...more } }, status)

/** Refuses each body that is not as it wants it. */
export const unless =
  (isTaken: (body: SentBody) => unknown, refusal: Reply, reply: Script = () => says()): Script =>
  (body, at, asked) =>
    isTaken(body) ? reply(body, at, asked) : refusal

/** Calls the first tool that it was given until there is a result, then says `text`. */
export const callsThenSays =
  (text = 'Hello'): Script =>
  ({ messages, tools }) =>
    messages.at(-1)?.role === 'tool' || !tools?.[0] ? says(text) : calls(tools[0].function.name)

/** Sends the same to each request. */
export const always =
  (reply: Reply): Script =>
  () =>
    reply

/** Refuses the first request, and answers the second. */
export const once =
  (reply: Reply): Script =>
  (_body, at) =>
    at === 0 ? reply : says()
