import { notLoaded } from '../agent.ts'
import type { HostRpcError } from '../errors.ts'
import type { AgentSession, RunOptions, SessionOptions } from '../session.ts'
import type { Svc } from '../svc.ts'
import type { SessionMessage } from './session-messages.ts'
import { createState, type OwnState, type State } from './state.ts'

/** A session with what was said in it. */
export interface SessionState {
  /** `loading`: its history is read; `running`: a message is on its way; `failed`: see `error`; else `ready`. */
  readonly state: 'loading' | 'ready' | 'running' | 'failed'
  /** The handle of the session, once it was made or found; its `appSessionUuid` is what an app keeps. */
  readonly session: AgentSession | undefined
  /** The messages, oldest first; the last one grows while it streams. */
  readonly messages: readonly SessionMessage[]
  /** Why the session could not be made or found, or why the last message failed. */
  readonly error: HostRpcError | undefined
}

/** Options of a turn. */
export type SendOptions = Omit<RunOptions, 'signal'>

/** What can be done in a session. */
export interface SessionActions {
  /**
   * Says something, and shows the reply as it comes. The first one makes the session, unless it was found. Several
   * in one tick with the same content are sent once. Returns the reply as it ended: a run that fails rejects nothing.
   *
   * @throws HostRpcError `load_failed` where the part of the client for sessions cannot be loaded.
   */
  readonly send: (content: string, options?: SendOptions) => Promise<SessionMessage>
  /** Shows a run that began before, such as one that a reload interrupted, from its beginning. Returns it as `send` does. */
  readonly attach: (runId: string) => Promise<SessionMessage>
  /** Cancels the replies that are on their way; what they had said stays. */
  readonly cancel: () => void
}

/** A session: its messages, and what can be done in it. */
export type SessionView = SessionState & SessionActions

/**
 * Makes the states of a session. Nothing is made before the first `send`; a session that is known by its id is found, with
 * its history, for the first subscriber. Its runs go on when the last one leaves. What sends and reads is loaded when
 * it is first needed, as the part of the SDK for sessions is.
 */
export function createSessionView(svc: Pick<Svc, 'agent'>, options: SessionOptions): State<SessionView> {
  const known = options as { appSessionUuid?: unknown; app_session_uuid?: unknown }
  const isKnown = !!(known.appSessionUuid ?? known.app_session_uuid)
  let replies: Promise<SessionActions> | undefined

  const state: OwnState<SessionView> = createState<SessionView>(
    {
      state: isKnown ? 'loading' : 'ready',
      session: undefined,
      messages: [],
      error: undefined,
      send: async (content, options) => (await load()).send(content, options),
      attach: async (runId) => (await load()).attach(runId),
      async cancel() {
        ;(await replies)?.cancel()
      },
    },
    () => {
      if (isKnown) load().catch((error) => state.change({ state: 'failed', error }))
      return undefined
    },
  )

  function load(): Promise<SessionActions> {
    replies ??= import('./session-replies.ts').then(
      ({ createReplies }) => createReplies(svc, options, isKnown, state),
      (cause) => {
        replies = undefined
        throw notLoaded(cause)
      },
    )
    return replies
  }
  return state
}
