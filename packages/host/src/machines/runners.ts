import type { Socket } from 'node:net'
import type { Runner } from '@svc/runner'
import type { WebSocket } from 'ws'
import type { Arriving, Bearer } from './admit.ts'

/** A runner that is online: that of this process, or the link of an enrolled machine. */
export interface RunnerLink {
  /** `rnr_…`, or `builtin` for the runner of this process. */
  readonly id: string
  /** Grows with each connection of the same machine: what an older link still says is not heard. */
  readonly epoch: number
  /** What it runs calls with. */
  readonly runner: Runner
  /** Unix ms: when it came online. */
  readonly since: number
  /** Whose machine it is; `null`: the runner of this process, which is everybody's. */
  readonly owner: string | null
  /** How many jobs its machine runs at once, where it says so: the host's own limit holds beside it. */
  readonly slots?: number
}

/** An enrolled machine as its user sees it. Times are ISO 8601. */
export interface EnrolledRunner {
  readonly runner_id: string
  readonly name: string
  readonly state: 'online' | 'offline'
  /** What it told of itself when it last connected; `null` before that. */
  readonly machine: {
    readonly platform: string
    readonly node: string
    /** The kinds of distribution that it can install. */
    readonly installs: readonly string[]
  } | null
  readonly slots: { readonly jobs: number; readonly jobs_running: number; readonly calls_busy: number }
  readonly created_at: string
  readonly last_seen_at: string | null
}

/** The machines that run what users publish. */
export interface Runners {
  /** Enrols a machine by `{name}`; the token is shown this once. Errors: `invalid_arg`, `quota_exceeded`. */
  enrol(userId: string, input: unknown): Promise<{ readonly runner_id: string; readonly token: string }>
  /** The user's machines, the oldest first. */
  list(userId: string): Promise<EnrolledRunner[]>
  /** Takes a machine away: its link ends at once, and its token opens nothing any more. Errors: `not_found`. */
  revoke(userId: string, runnerId: string): Promise<void>
  /** The runner of this process; `null`: it has none. */
  readonly builtin: RunnerLink | null
  /** The runners that may run what this user may use, those that came first first. */
  online(userId: string): readonly RunnerLink[]
  /** Hears of each link that comes or goes. Returns how to unsubscribe. */
  onChange(listener: (change: LinkChange) => void): () => void
  /** Ends every link; resolves when their connections are gone. Twice is harmless. */
  close(): Promise<void>
}

/** The machines of a host, with the front that they connect to. */
export interface OpenRunners extends Runners {
  readonly front: RunnerFront
}

/** What the HTTP side needs to let machines in. */
export interface RunnerFront {
  /** The machine whose token this is; `null`: none, or one whose user is gone. */
  bearerOf(token: string): Promise<Bearer | null>
  /** Takes an open WebSocket for that machine. */
  take(socket: WebSocket, connection: Socket, arriving: Arriving): void
  /** Ends each link with the last call under way on it. */
  leave(): void
}

/** A link that came or went; `userId` is `null` for the runner of this process. */
export interface LinkChange {
  readonly userId: string | null
  readonly link: RunnerLink
  readonly isOnline: boolean
}

/** The id of the runner of this process. */
export const BUILTIN = 'builtin'
