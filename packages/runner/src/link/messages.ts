import type { Reach } from '@svc/contract/reach'
import type { CallFailureCode, LineError } from '@svc/contract/stdio'

/**
 * The link between a host and a machine that its user enrolled: one WebSocket that the machine opens, with its token as
 * `Authorization: Bearer svcr_…`. Messages travel in packets (`packet.ts`); each is a head in JSON, and a body where
 * the table says so. Ids are numbers that one side gives and the other only repeats; they are of this link alone, so
 * that nothing said on an older one can meet them.
 *
 * The host sends a `challenge`, the machine answers `hello`, the host answers `welcome` with the next token, and then
 * both say what they like.
 */
export const LINK_VERSION = 2

/** What a machine signs with its key: a signature is worth nothing on another link, or at another host. */
export const linkProof = (link: {
  /** The host as the machine reaches it: its name, and its port where that is not the scheme's own. */
  readonly host: string
  readonly runner_id: string
  readonly nonce: string
}): string => JSON.stringify(['svc link', LINK_VERSION, link.host, link.runner_id, link.nonce])

/** How a link is closed by its host, beside WebSocket's own numbers. */
export const LINK_CLOSE = {
  /** The host is closing; the machine connects again. */
  leaving: 1001,
  /** What the other side sent is nothing that ours sends; the machine connects again. */
  malformed: 1002,
  /** Something went wrong in the host; the machine connects again. */
  fault: 1011,
  /** The machine was revoked. */
  revoked: 4401,
  /** The machine did not prove the key that it showed. */
  proof: 4400,
  /** The token belongs to the key of another machine. */
  key: 4403,
  /** No hello came in time. */
  silent: 4408,
  /** Another connection showed the same token. */
  displaced: 4409,
  /** The machine reaches the host by a name that is not the host's own. */
  name: 4421,
  /** The machine speaks another version. */
  version: 4426,
} as const

/** A plugin as a link names it: never by a command, which a host has no business to say. */
export interface LinkPlugin {
  readonly id: string
  readonly version: string
  /** The user who published it. */
  readonly author?: string
  readonly distribution: Readonly<Record<string, unknown>>
  /** When this version was frozen, in Unix ms; absent: it is not. */
  readonly frozen_at?: number
  /** What its user gave its variables; absent: nothing. */
  readonly values?: Readonly<Record<string, string>>
  /** What its user agreed that it reaches; absent: nothing. */
  readonly reach?: Reach
}

/**
 * What both kinds of work have. `left_ms` is what is left until the deadline: each end counts it by its own clock, and
 * none has to know how far the other's is off.
 */
interface LinkWork {
  readonly id: number
  readonly user_id: string
  readonly plugin: LinkPlugin
  readonly tool: string
  readonly timeout_ms: number
  readonly left_ms: number
  readonly max_result_bytes: number
  /** Absent: every request of the plugin is refused. */
  readonly sampling_token?: string
}

/** Host → machine. */
export type HostMessage =
  /** The first message: what the machine signs. */
  | { readonly type: 'challenge'; readonly runner_id: string; readonly nonce: string }
  | ({
      readonly type: 'welcome'
      readonly runner_id: string
      readonly name: string
      /** Whose machine it is. */
      readonly user_id: string
      /** Counts the links of the machine. */
      readonly epoch: number
      /** What the machine shows next time; the token that it showed is good until it says `kept`. */
      readonly token: string
    } & LinkPace)
  /** Body: the arguments. Answered by `outcome`. */
  | ({
      readonly type: 'call'
      readonly invoke_id: string
      readonly grace_ms: number
      /** The app that calls, and what a process is kept for: see `CallInput`. An older host says neither. */
      readonly app_id?: string
      readonly session?: string
    } & LinkWork)
  /** Ends the processes that are kept for sessions, as `endSessions` does. An older machine ignores it. */
  | {
      readonly type: 'end_sessions'
      readonly user_id?: string
      readonly session?: string
      readonly plugin_id?: string
    }
  /** Body: the arguments. Answered by `outcome`, with `started`, `progress`, `dropped` and `beat` before it. */
  | ({ readonly type: 'job'; readonly job_id: string } & LinkWork)
  /** Answered by `outcome`, its body the description. Without `user_id` the process is ended afterwards. */
  | {
      readonly type: 'describe'
      readonly id: number
      readonly plugin: LinkPlugin
      readonly user_id?: string
      readonly left_ms: number
    }
  /** Answered by `outcome` without a body. */
  | {
      readonly type: 'install'
      readonly id: number
      readonly plugin: LinkPlugin
      readonly left_ms: number
    }
  /** Nobody waits for the outcome of `id` any more. */
  | { readonly type: 'cancel'; readonly id: number; readonly reason?: string }
  /** Body: what came of the request `id` of a plugin, `LinkReply`. */
  | { readonly type: 'reply'; readonly id: number }
  /** Each `ping_ms`, as the machine says `pong`: neither waits for the other, or what comes slowly would silence both. */
  | { readonly type: 'ping' }

/** The intervals of the host, so that both sides count alike. */
export interface LinkPace {
  readonly ping_ms: number
  readonly silent_ms: number
}

/** The body of `reply`. */
export type LinkReply = { readonly result: unknown } | { readonly error: LineError }

/** What a machine says about itself. */
export interface LinkMachine {
  /** As distributions name platforms: `linux-x64`. */
  readonly platform: string
  readonly node: string
  /** The types of distribution that it can install. */
  readonly installs: readonly string[]
  /** Whether plugins run behind walls there; absent: it did not say. */
  readonly isolation?: { readonly walls: boolean; readonly problem: string | null }
  /** Jobs that it runs at once; absent: as many as the host allows. */
  readonly slots?: { readonly jobs: number }
}

/** What a runner holds, as `RunnerStats` says. */
export interface LinkStats {
  readonly processes: number
  readonly busy: number
  readonly waiting: number
  readonly noise: number
}

/** Machine → host. */
export type MachineMessage =
  | ({
      readonly type: 'hello'
      readonly version: number
      /** The host as the machine reaches it. */
      readonly host: string
      /** Its public key, Ed25519, as base64url. */
      readonly key: string
      /** Of `linkProof`, as base64url. */
      readonly signature: string
    } & LinkMachine)
  /** It has stored the token of `welcome`; said once. */
  | { readonly type: 'kept' }
  /** Body: the payload or the description where `ok`, else `LinkFailure`. The last word on that id. */
  | { readonly type: 'outcome'; readonly id: number; readonly ok: boolean }
  /** The process of a job is there. */
  | { readonly type: 'started'; readonly id: number }
  /** Body: the data. */
  | { readonly type: 'progress'; readonly id: number; readonly name: string }
  | { readonly type: 'dropped'; readonly id: number; readonly count: number }
  | { readonly type: 'beat'; readonly id: number }
  /** A request of the plugin in call or job `call`; body: its params. Answered by `reply` with `id`. */
  | { readonly type: 'ask'; readonly id: number; readonly call: number; readonly method: string }
  /** Nobody waits for the reply `id` any more. */
  | { readonly type: 'unask'; readonly id: number; readonly call: number }
  | { readonly type: 'pong'; readonly stats: LinkStats }

/** The body of an `outcome` that is a failure. */
export interface LinkFailure {
  readonly code: CallFailureCode
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}
