import type { CLOSING } from '@svc/contract/wire'
import type { unreachable } from './bridge-error.ts'
import type { Carry } from './carry.ts'
import type { Clock } from './clock.ts'
import type { isClosing } from './closing.ts'
import type { pause } from './deadline.ts'

/** Opens the event stream; the header `last-event-id` says where it goes on. */
export type OpenEvents = (
  address: string,
  init: RequestInit & { readonly signal: AbortSignal; readonly headers: Readonly<Record<string, string>> },
) => Promise<Response>

/** What a call socket needs, and whom it tells. */
export interface CallSocketParts {
  readonly url: string
  /** The subprotocols that are offered. */
  readonly protocols: string[]
  readonly byPost: Carry
  readonly fetch: OpenEvents
  readonly clock: Clock
  /** It stands, or a first try to open it has failed: the event stream knows where to go on. */
  readonly onSettled: () => void
}

/** What it has in common with the part that is loaded at once: what both imported would be a third one. */
export interface CallSocketTools
  extends Readonly<Record<'longChars' | 'retryMs' | 'cursorMs' | 'silentMs', number>> {
  readonly pause: typeof pause
  readonly unreachable: typeof unreachable
  readonly isClosing: typeof isClosing
  readonly closing: typeof CLOSING
}
