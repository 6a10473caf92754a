import { type Refusal, refuse } from '@svc/contract'
import { CLOSING_RETRY_MS } from '@svc/contract/browser'
import { CLOSING } from '@svc/contract/wire'

/** How far a host is on its way to its end. */
export interface Leaving {
  /** Fires when the host begins to close: streams that would last end then. */
  readonly signal: AbortSignal
  /** Whether it takes no new work: no run, job, slow call or stream. It answers what ends soon. */
  readonly isLeaving: boolean
  /** Whether it takes nothing any more. */
  readonly isClosed: boolean
  begin(): void
  close(): void
}

/** Opens the end of a host: first it takes no new work, then nothing. */
export function openLeaving(): Leaving {
  const leaving = new AbortController()
  let isClosed = false
  return {
    signal: leaving.signal,
    get isLeaving() {
      return leaving.signal.aborted
    },
    get isClosed() {
      return isClosed
    },
    begin: () => leaving.abort(),
    close() {
      leaving.abort()
      isClosed = true
    },
  }
}

/** The refusal of what a closing host has not begun: another host of the store may take it at once. */
export const hostClosing = (): Refusal =>
  refuse('agent_unavailable', 'this host is closing', {
    by: CLOSING,
    retry_after_ms: CLOSING_RETRY_MS,
    hint: 'It has not begun. Send it again: another host takes it.',
  })
