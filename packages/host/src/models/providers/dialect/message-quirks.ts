import { createHash } from 'node:crypto'
import { type Body, type ContentPart, type Message, type ToolCall, textOf, withMessages } from './body.ts'
import type { Quirk } from './quirk.ts'
import { systemAsText, toolsAsText } from './told-as-text.ts'

const IMAGE_HERE = '(An image is here that this model does not see.)'
const GO_ON = 'Go on.'
const BEFORE = '(The conversation goes on.)'
const CALLING = 'I call a tool.'
const ID_CHARS = 9

const ALTERNATE = /alternat|unexpected role|invalid role|unknown role|after role|expected (?:last )?role/
const rolesOf = ({ messages }: Body) => messages.map(({ role }) => role)
const has = (body: Body, role: string): boolean => rolesOf(body).includes(role)
const firstSaid = (body: Body) => rolesOf(body).find((role) => role !== 'system')
const isList = ({ content }: Message): boolean => Array.isArray(content)
const isThoughtless = ({ role, reasoning_content }: Message): boolean =>
  role === 'assistant' && !reasoning_content
/** What Gemini takes for the signature of a call that another model made. */
const ANY_SIGNATURE = { google: { thought_signature: 'skip_thought_signature_validator' } }
const isUnsigned = ({ extra_content }: ToolCall): boolean => extra_content === undefined
const signed = (call: ToolCall): ToolCall =>
  isUnsigned(call) ? { ...call, extra_content: ANY_SIGNATURE } : call
const isBare = ({ role, content }: Message): boolean =>
  role === 'assistant' && (content == null || content === '')

/** What servers do not take of a conversation; they are told and adapted in this order. */
export const messageQuirks = {
  thoughts: {
    means: 'sends a sentence as the thought of an answer whose own is not kept',
    isTold: ({ text }, body) =>
      body.messages.some(isThoughtless) &&
      /(?:missing|must)[^.]{0,400}reasoning|reasoning[^.]{0,400}(?:missing|must)/.test(text),
    adapt: (body) =>
      withMessages(body, (message) => [
        isThoughtless(message) ? { ...message, reasoning_content: CALLING } : message,
      ]),
  },
  signatures: {
    means: 'sends the signature that stands for any with calls whose own is not kept',
    isTold: ({ text }, body) =>
      text.includes('thought_signature') &&
      body.messages.some(({ tool_calls = [] }) => tool_calls.some(isUnsigned)),
    adapt: (body) =>
      withMessages(body, ({ tool_calls, ...message }) => [
        { ...message, ...(tool_calls && { tool_calls: tool_calls.map(signed) }) },
      ]),
  },
  user_first: {
    means: 'begins a conversation with a message of the user',
    isTold: ({ text }, body) =>
      firstSaid(body) === 'assistant' &&
      (ALTERNATE.test(text) || /first (?:non-system )?message|(?:start|begin) with/.test(text)),
    adapt: (body) =>
      firstSaid(body) === 'assistant' ? withFirst(body, { role: 'user', content: BEFORE }) : body,
  },
  user_last: {
    means: 'ends a conversation with a message of the user',
    isTold: ({ text }, body) =>
      rolesOf(body).at(-1) === 'assistant' &&
      /prefill|(?:last|final) (?:message|role|turn)|end with|alternat/.test(text),
    adapt: (body) =>
      rolesOf(body).at(-1) === 'assistant'
        ? { ...body, messages: [...body.messages, { role: 'user', content: GO_ON }] }
        : body,
  },
  no_system: {
    means: 'puts the system prompt before the first question',
    isTold: ({ text }, body) =>
      has(body, 'system') &&
      (ALTERNATE.test(text) ||
        /system (?:role|message|prompt|instruction)|(?:role|support)[^.]{0,20}['"`]?system|['"`]system['"`]|developer instruction|only user/.test(
          text,
        )),
    adapt: systemAsText,
  },
  tools_as_text: {
    means: 'tells calls of tools and their results in words',
    isTold: ({ text }, body) =>
      has(body, 'tool') &&
      (ALTERNATE.test(text) ||
        /role[^.]{0,20}['"`]?tool|tool['"`]? (?:role|message)|only user|single tool-?calls?/.test(text)),
    adapt: toolsAsText,
  },
  no_images: {
    means: 'puts a sentence in the place of images, and sends texts only',
    isTold: ({ text }, body) =>
      body.messages.some(isList) &&
      /image|vision|multi-?modal|mmproj|string|unmarshal array|sequence|content (?:type|part)|concatenate|\blist\b/.test(
        text,
      ),
    adapt: (body) =>
      withMessages(body, (message) => [
        Array.isArray(message.content)
          ? { ...message, content: textOf((message.content as readonly ContentPart[]).map(markedPart)) }
          : message,
      ]),
  },
  content_parts: {
    means: 'sends each content as a list of parts',
    isTold: ({ text }, body) =>
      !body.messages.every(isList) &&
      /content.{0,80}(?:must|should|expected|valid).{0,20}(?:array|list|sequence)|expected (?:an? )?(?:array|list|sequence)/.test(
        text,
      ),
    adapt: (body) =>
      withMessages(body, (message) => [
        typeof message.content === 'string'
          ? { ...message, content: [{ type: 'text', text: message.content }] }
          : message,
      ]),
  },
  no_null: {
    means: 'sends an empty text beside calls of tools instead of `null`',
    isTold: ({ text }, body) =>
      body.messages.some(({ content }) => content === null) &&
      /content.{0,100}(?:null|none|nil|required|missing|must|should|expected|string|invalid|empty|blank)|(?:null|none|nil).{0,100}content|<nil>|expected (?:a )?(?:valid )?string/.test(
        text,
      ),
    adapt: (body) =>
      withMessages(body, (message) => [message.content === null ? { ...message, content: '' } : message]),
  },
  no_empty: {
    means: 'sends a sentence beside calls of tools instead of no text',
    isTold: ({ text }, body) =>
      body.messages.some(isBare) && /empty|blank|whitespace|at least|content/.test(text),
    adapt: (body) =>
      withMessages(body, (message) => [isBare(message) ? { ...message, content: CALLING } : message]),
  },
  short_ids: {
    means: 'gives calls of tools ids of nine letters and digits',
    isTold: ({ text }, body) =>
      has(body, 'tool') &&
      /tool[ _]?(?:call|use)[ _]?ids?\b/.test(text) &&
      /length|pattern|a-z|match|long/.test(text),
    adapt: (body) =>
      withMessages(body, (message) => [
        {
          ...message,
          ...(message.tool_calls && {
            tool_calls: message.tool_calls.map((call) => ({ ...call, id: shortId(call.id) })),
          }),
          ...(typeof message.tool_call_id === 'string' && { tool_call_id: shortId(message.tool_call_id) }),
        },
      ]),
  },
} as const satisfies Record<string, Quirk>

function withFirst(body: Body, message: Message): Body {
  const at = rolesOf(body).findIndex((role) => role !== 'system')
  return { ...body, messages: body.messages.toSpliced(at, 0, message) }
}

const markedPart = (part: ContentPart): ContentPart =>
  part.type === 'text' ? part : { type: 'text', text: IMAGE_HERE }

const shortId = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, ID_CHARS)
