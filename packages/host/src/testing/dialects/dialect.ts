import type { Limits } from '@svc/contract'
import type { ModelEnvironment } from '../../models/providers/model-settings.ts'
import type { SessionTool } from '../../work/sessions/session-tools.ts'
import type { Script, SentBody } from './reply.ts'

/** What our user gets of one answer: its text, or what the error says besides. */
export interface Told {
  readonly text: string
  /** The code of the error. */
  readonly code?: string
  /** Its sentence. */
  readonly message?: string
  /** Its details. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** A user of a host whose model is at a scripted server. */
export interface User {
  /** Has a run of the one session that this user has. `cancel`: it is cancelled once the server was asked. */
  say(content?: string, how?: { readonly cancel?: boolean; readonly image?: boolean }): Promise<Told>
  /** Calls `llm.complete`. */
  complete(...texts: readonly string[]): Promise<Told>
  /** Calls `llm.embed`: the vectors. */
  embed(...texts: readonly string[]): Promise<readonly (readonly number[])[]>
  /** What the session's history has. */
  history(): Promise<readonly { readonly role: string; readonly content: unknown }[]>
  /** The bodies that the server received. */
  readonly sent: readonly SentBody[]
  /** What the host logged. */
  readonly log: readonly Readonly<Record<string, unknown>>[]
}

/** One behaviour of real servers, and what our user must get from one that has it. */
export interface Dialect {
  /** The servers that are known for it. */
  readonly servers: string
  /** What they do, a sentence. */
  readonly does: string
  /** What we do, a sentence. */
  readonly we: string
  readonly script: Script
  /** What our user does; default: says something in a session. */
  readonly play?: (user: User) => Promise<unknown>
  /** What that comes to, as `toMatchObject` takes it. Default: the text of `says()`. */
  readonly gets?: unknown
  /** How many requests the server received in all. Default 1. */
  readonly asked?: number
  /** Variables besides the address and the name of the model; the address may be changed by a function of it. */
  readonly environment?: Partial<ModelEnvironment> | ((url: string) => Partial<ModelEnvironment>)
  /** Limits that are not the host's own. */
  readonly limits?: Partial<Limits>
  /** The system prompt of the session. Default: none. */
  readonly prompt?: string
  /** The tools of the session. Default: none. */
  readonly tools?: readonly SessionTool[]
}
