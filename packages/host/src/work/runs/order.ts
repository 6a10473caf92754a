import type { ModelMessage } from 'ai'
import type { ChosenModel } from '../../models/providers/models.ts'
import type { SessionRecord } from '../sessions/session-row.ts'
import type { JudgedImage } from './attachments.ts'
import type { RunCaller } from './runs.ts'

/** What a run is to do; it stays in the memory of the host that accepted it. */
export interface Order {
  readonly caller: RunCaller
  /** `null`: a stream of `llm.stream`. */
  readonly session: SessionRecord | null
  readonly runId: string
  readonly fingerprint: string
  readonly model: ChosenModel
  readonly maxOutputTokens: number
  /** How often the model may be asked. */
  readonly steps: number
  readonly instructions: string | null
  /** What is said now; what was said before is in the session. */
  readonly said: readonly ModelMessage[]
  readonly images: readonly JudgedImage[]
  /** `null`: all that the session has. */
  readonly allowedTools: readonly string[] | null
}

/** Whether it has tools and a history: a session of the kind `complete` has neither, and so has a stream. */
export const isConversation = ({ session }: Order): boolean => session?.row.kind === 'agent'
