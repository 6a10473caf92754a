import type { Subcalls } from '@svc/runner'
import type { KnownPlugin } from '../../plugins/deployments/plugins.ts'
import type { SessionRecord } from '../sessions/session-row.ts'

/** A call under way whose plugin may ask things of this host. */
export interface Sampling {
  /** The token that the plugin shows; worth nothing once the call has ended. */
  readonly token: string
  readonly userId: string
  readonly appId: string
  /** The window that the call was made in; `null` for a job, which outlives it. */
  readonly windowUuid: string | null
  /** What absolute URLs begin with; `''` where no request is behind the call. */
  readonly origin: string
  readonly plugin: KnownPlugin
  readonly invokeId: string
  /** Unix ms. */
  readonly deadlineMs: number
}

/** A sampling with the end of its call. */
export interface OpenSampling {
  readonly subcalls: Subcalls
  /** Forgets the token. Twice is harmless. */
  close(): void
}

/** The calls under way whose plugins may ask things of this host. */
export interface Samplings {
  /** Makes the token of a call; `null` where its plugin declares nothing that it wants of the host. */
  open(call: Omit<Sampling, 'token'>): OpenSampling | null
  /** The call that a token names, while it goes on. */
  find(token: string): Sampling | null
  readonly sessions: PluginSessions
}

/** The sessions that plugins made: a plugin reaches its own, by the token that this host keeps of each. */
export interface PluginSessions {
  /** Mints the token of a session that the plugin of this call made, and keeps it. */
  keep(sampling: Sampling, session: SessionRecord): Promise<void>
  /**
   * A session that this plugin made for this user and app. Errors: `APP_SESSION_NOT_FOUND` (any other, too);
   * `session_expired`, where it was deleted or its token is not kept any more.
   */
  own(sampling: Sampling, uuid: string): Promise<SessionRecord>
  /** Ends one; of one that is not this plugin's nothing happens. `may` is asked first. */
  end(sampling: Sampling, uuid: string, may: (session: SessionRecord) => void): Promise<void>
}
