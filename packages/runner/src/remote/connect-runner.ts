import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { LocalRunner } from '../runner.ts'

/** What `connectRunner` takes. */
export interface ConnectRunnerOptions {
  /** The host, as `https://…`; plain `http` on loopback alone. */
  readonly url: string
  /** What enrolling the machine answered: `svcr_…`. */
  readonly token: string
  /** What runs the plugins here; whoever made it closes it. */
  readonly runner: LocalRunner
  readonly log: Log
  /** Jobs that run at once; the host's own limit where left out, and never more than that. */
  readonly slots?: { readonly jobs: number }
  readonly clock?: Clock
  /** Hears of each change, at once. */
  readonly onState?: (state: RemoteState) => void
}

/** How the machine stands to its host. */
export type RemoteState =
  | { readonly state: 'connecting' }
  | { readonly state: 'online'; readonly runnerId: string; readonly name: string }
  /** Connects again by itself. */
  | { readonly state: 'waiting'; readonly retryInMs: number; readonly problem: string }
  | ({ readonly state: 'ended' } & RemoteEnd)

/** Why the machine has stopped connecting for good; `message` says what to do. */
export interface RemoteEnd {
  readonly reason: 'closed' | 'unknown_token' | 'incompatible' | 'displaced'
  readonly message: string
}

/** A machine that serves a host. */
export interface RemoteRunner {
  /** Ends the link and everything that runs for it. Twice is harmless. */
  close(): Promise<void>
  /** Resolves when it is over for good, and never rejects. */
  readonly ended: Promise<RemoteEnd>
}
