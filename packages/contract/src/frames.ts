/** Tokens that a run took and gave, as OpenAI-style servers name them. */
export interface TokenUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
}

/** What a token frame adds (spec §2.7). A chunk carries one of these, beside the role in the first. */
export interface ChunkDelta {
  readonly role?: 'assistant'
  readonly content?: string
  /** A tool that the model calls; its arguments come whole, as JSON text. */
  readonly tool_calls?: readonly {
    readonly index: number
    readonly id: string
    readonly type: 'function'
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  /** How a tool call ended: the payload of the tool, or the error that the model was told. */
  readonly tool_result?: {
    readonly tool_call_id: string
    readonly name: string
    readonly output?: unknown
    readonly error?: { readonly code: string; readonly message: string }
  }
  /** The run was cancelled; the terminal frame follows. */
  readonly task_cancelled?: true
  /** The run is complete: what it took in all. */
  readonly task_complete?: { readonly token_usage: TokenUsage }
}

/** An OpenAI-style chunk, as the `openai` client's own parser takes it. */
export interface Chunk {
  readonly id: string
  readonly object: 'chat.completion.chunk'
  /** Unix seconds. */
  readonly created: number
  readonly model: string
  readonly choices: readonly {
    readonly index: 0
    readonly delta: ChunkDelta
    readonly finish_reason: 'stop' | 'length' | 'tool_calls' | null
  }[]
}

/** What an error frame tells besides: what can be done about it, and which limit it was. */
export type ErrorDetails = {
  readonly hint?: string
  /** Whether it may go well later, as a run of its own. */
  readonly retriable?: boolean
  /** The quota that is used up. */
  readonly quota?: string
  /** When it is free again, ISO 8601. */
  readonly resets_at?: string
  /** The limit, in the unit that the message names, and what of it was used up. */
  readonly max?: number
  readonly used?: number
  /** What was still to fit. */
  readonly wanted?: number
}

/** The payload of one frame of a run (spec §2.7, design §9). */
export type Frame =
  | { readonly event: 'queued' | 'started' | 'keepalive' }
  | {
      readonly event: 'run_meta'
      readonly run_id: string
      readonly model: string
      readonly granted_tools: readonly string[]
    }
  | { readonly event: 'sse'; readonly data: Chunk }
  | {
      readonly event: 'error'
      readonly errorCode: string
      readonly message: string
      readonly details?: ErrorDetails
    }
  | { readonly event: 'end'; readonly run_id: string }
