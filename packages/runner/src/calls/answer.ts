import type { MeantLine } from '@svc/contract/meant-line'
import { NOT_TAKEN, SERVER_FAILED } from '@svc/contract/stdio'
import { type Fields, fieldsOf } from '../lines/fields.ts'
import type { LongReply } from '../lines/long-line.ts'
import type { ReadPayload } from '../lines/payload.ts'
import type { Ending } from '../processes/child.ts'

/** What came from the plugin: a payload read on the short way, a whole reply, or the reason why there is none. */
export type PluginReply =
  | { readonly kind: 'payload'; readonly read: ReadPayload }
  /** `line`: what the message was read from; `stderr`: what an adapter said last whose server failed. */
  | { readonly kind: 'reply'; readonly message: Fields; readonly line: Buffer; readonly stderr?: string }
  /** A reply on a long line. */
  | ({ readonly kind: 'long' } & LongReply)
  | { readonly kind: 'too_long'; readonly bytes: number }
  | { readonly kind: 'too_deep' }
  /** A line that is meant as a message and cannot be read. */
  | { readonly kind: 'meant'; readonly plugin: string; readonly line: MeantLine }
  /** The answer was a line of so many bytes, more than were kept. */
  | { readonly kind: 'too_large'; readonly bytes: number }
  /** `unread`: it never read the request, so that another process may get it. */
  | { readonly kind: 'ended'; readonly ending: Ending; readonly unread: boolean }

/** What came of one request; the last two come from this side. */
export type Answer = PluginReply | { readonly kind: 'late' } | { readonly kind: 'aborted' }

/** Whether a message is a reply. */
export const isReply = (message: Fields) => message.id !== undefined && message.method === undefined

/** Whether an answer has a message that says how it went. */
export const hasMessage = (answer: Answer) => answer.kind === 'reply' || answer.kind === 'long'

/** Whether an adapter tells that the program behind it failed. */
export function isOfServer(answer: Answer): answer is Extract<Answer, { readonly kind: 'reply' }> {
  if (answer.kind !== 'reply') return false
  const name = fieldsOf(fieldsOf(answer.message.error)?.data)?.name
  return name === SERVER_FAILED || name === NOT_TAKEN
}
