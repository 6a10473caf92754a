import type { Client, CompletionArgs } from '@svc/contract/client'
import type { Clock } from './clock.ts'
import type { EventHub } from './events.ts'
import type { Run } from './run.ts'
import { type AgentSession, openSession, type SessionOptions } from './session.ts'
import { type AttachOptions, attachRun, type RunCalls, type StartOptions, startRun } from './start-run.ts'
import { createStreams } from './streams.ts'

/** What sessions and runs work with. */
export interface SessionParts {
  readonly rpc: Pick<Client, 'agent' | 'llm'>
  readonly tap: EventHub['tap']
  readonly clock: Clock
  /** Aborts when the document goes away for good. */
  readonly ended: AbortSignal
}

/** The part of the client that is loaded with the first session or run of the document. */
export interface Sessions {
  session(options: SessionOptions): Promise<AgentSession>
  streamText(args: CompletionArgs, options?: StartOptions): Promise<Run>
  attachText(runId: string, options?: AttachOptions): Promise<Run>
}

/** Makes it; from here on frames are listened for. */
export function createSessions({ rpc, tap, clock, ended }: SessionParts): Sessions {
  const parts = { streams: createStreams(tap, clock), clock, ended }
  const { llm } = rpc
  const calls: RunCalls = {
    attach: (run_id, after_seq, options) => llm.attach({ run_id, after_seq }, options),
    cancel: (run_id, options) => llm.cancel({ run_id }, options),
  }
  return {
    session: (options) => openSession(parts, rpc.agent.session, options),
    streamText: (args, options = {}) => startRun(parts, calls, (call) => llm.stream(args, call), options),
    attachText: (runId, options) => attachRun(parts, calls, runId, options),
  }
}
