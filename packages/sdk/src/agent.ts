import type { AgentSessionClient, CompletionArgs } from '@svc/contract/client'
import { ownError } from './errors.ts'
import type { Run } from './run.ts'
import type { AgentSession, SessionOptions } from './session.ts'
import type { SessionParts, Sessions } from './sessions.ts'
import type { AttachOptions, StartOptions } from './start-run.ts'

/** `svc.agent.session`: call it to get the handle of a session; its members are the methods of the host. */
export interface SvcAgentSession extends AgentSessionClient {
  /**
   * Makes a session and returns its handle, or, with `appSessionUuid`, the handle of one that was made before, which
   * it refreshes. The id is all that an app needs to keep.
   *
   * @throws HostRpcError `permission_denied`, `invalid_arg`, `APP_INVALID_REQUEST`, `APP_SESSION_EXPIRED`,
   *   `APP_SESSION_REVOKED`, `APP_SESSION_NOT_FOUND`, `load_failed`, or another code of the host.
   * @example
   * ```ts
   * const session = await svc.agent.session({ submode: 'auto', systemPrompt: 'You plan trips.' })
   * const run = await session.run('Three days in Lisbon')
   * for await (const piece of run.text()) show(piece)
   * ```
   */
  (options: SessionOptions): Promise<AgentSession>
}

/** What `svc.llm` has besides the methods of the host. */
export interface LlmExtras {
  /**
   * Lets a model continue a conversation, as `llm.stream` does, and returns the handle of the run. An abort of
   * `signal` cancels it.
   *
   * @throws HostRpcError `quota_exceeded`, `invalid_arg`, `load_failed`, or another code of the host.
   * @example
   * ```ts
   * const run = await svc.llm.streamText({
   *   messages: [{ role: 'user', content: { type: 'text', text: 'Tell a story.' } }],
   * })
   * for await (const piece of run.text()) show(piece)
   * ```
   */
  streamText(args: CompletionArgs, options?: StartOptions): Promise<Run>
  /** Reads such a run again, after a reload, from its beginning or behind `afterSeq`. @throws HostRpcError `not_found` */
  attachText(runId: string, options?: AttachOptions): Promise<Run>
}

/** The failure of a part of the client that is loaded on demand. */
export const notLoaded = (cause: unknown) =>
  ownError('load_failed', `a part of the client could not be loaded: ${cause}`, {
    retriable: true,
    hint: 'It is a file of the bundle: are all files of the build pushed?',
  })

/** Loads the part that they need: a file of its own where the app's bundler splits. */
const loadSessions = () => import('./sessions.ts')

/** What sessions of a document work with, and the part of the client for them once it was asked for. */
export interface AgentParts extends SessionParts {
  sessions?: Promise<Sessions> | undefined
}

/** Makes both; what is behind them is loaded when the first of them is called, and again after that failed. */
export function createAgent(
  parts: () => AgentParts,
  load = loadSessions,
): LlmExtras & { session(options: SessionOptions): Promise<AgentSession> } {
  const sessions = (): Promise<Sessions> => {
    const own = parts()
    own.sessions ??= load().then(
      ({ createSessions }) => createSessions(own),
      (cause) => {
        own.sessions = undefined
        throw notLoaded(cause)
      },
    )
    return own.sessions
  }
  return {
    session: async (options) => (await sessions()).session(options),
    streamText: async (args, options) => (await sessions()).streamText(args, options),
    attachText: async (runId, options) => (await sessions()).attachText(runId, options),
  }
}
