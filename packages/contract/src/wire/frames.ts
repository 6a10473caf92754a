/** Tokens that a run read and wrote, as OpenAI-style servers name them. */
export interface TokenUsage {
  /** Tokens that the model read. */
  readonly prompt_tokens: number
  /** Tokens that it wrote. */
  readonly completion_tokens: number
  /** Both together. */
  readonly total_tokens: number
}

/** A tool that the model calls. */
export interface ToolCall {
  /** The place of the call among those of its step. */
  readonly index: number
  /** The id of the call. */
  readonly id: string
  /** Always a function. */
  readonly type: 'function'
  /** What is called. */
  readonly function: {
    /** The name of the tool. */
    readonly name: string
    /** The arguments, whole, as JSON text. */
    readonly arguments: string
  }
}

/** How a call of a tool ended. */
export interface ToolResult {
  /** The id of the call. */
  readonly tool_call_id: string
  /** The name of the tool. */
  readonly name: string
  /** What the tool returned. */
  readonly output?: unknown
  /** What the model was told instead. */
  readonly error?: {
    /** The code of the error. */
    readonly code: string
    /** What went wrong. */
    readonly message: string
  }
}

/** Why text of an answer is missing: a filter withheld it, or the model itself refused and says so. */
export type Withheld = 'content_filter' | 'refusal'

/** What a token frame adds. A chunk carries one of these, beside the role in the first. */
export interface ChunkDelta {
  /** In the first chunk. */
  readonly role?: 'assistant'
  /** A piece of the text. */
  readonly content?: string
  /** Tools that the model calls. */
  readonly tool_calls?: readonly ToolCall[]
  /** How such a call ended. */
  readonly tool_result?: ToolResult
  /** The run was cancelled; the last frame follows. */
  readonly task_cancelled?: true
  /** The run is complete. */
  readonly task_complete?: {
    /** What it took in all. */
    readonly token_usage: TokenUsage
    /** How many of the oldest turns the model was not given, because they did not fit; left out where it had all. */
    readonly dropped_turns?: number
    /** More about its end; only where text is missing. */
    readonly details?: {
      /** Why it is. */
      readonly stop_reason: Withheld
    }
  }
}

/** An OpenAI-style chunk, as the `openai` client's own parser takes it. */
export interface Chunk {
  /** The id of the run. */
  readonly id: string
  /** Always this. */
  readonly object: 'chat.completion.chunk'
  /** Unix seconds. */
  readonly created: number
  /** The name of the model. */
  readonly model: string
  /** One choice. */
  readonly choices: readonly {
    /** Always the first. */
    readonly index: 0
    /** What the chunk adds. */
    readonly delta: ChunkDelta
    /** Why the text ends; `null` before its end. */
    readonly finish_reason: 'stop' | 'length' | 'tool_calls' | null
  }[]
}

/** What an error frame says besides: what can be done about it, and which limit it was. */
export type ErrorDetails = {
  /** What can be done about it. */
  readonly hint?: string
  /** Whether it may succeed later, as a run of its own. */
  readonly retriable?: boolean
  /** How long to wait before that, in ms, where the server of a model told. */
  readonly retry_after_ms?: number
  /** The way in which a model failed (docs/decisions/0029-models-and-how-they-fail.md). */
  readonly reason?: string
  /** The HTTP status with which the server of a model refused. */
  readonly status?: number
  /** The code that it gave for its error. */
  readonly provider_code?: string
  /** Why a model did not answer: `content_filter`. */
  readonly stop_reason?: string
  /** The quota that is used up. */
  readonly quota?: string
  /** When it is free again, ISO 8601. */
  readonly resets_at?: string
  /** The limit, in the unit that the message names. */
  readonly max?: number
  /** How much of it was used. */
  readonly used?: number
  /** What was still to fit. */
  readonly wanted?: number
}

/** The payload of one frame of a run; `event` says which it is. */
export type Frame =
  | {
      /** The run waits, runs, or is alive though it has nothing to say. */
      readonly event: 'queued' | 'started' | 'keepalive'
    }
  | {
      /** What the run works with. */
      readonly event: 'run_meta'
      /** The id of the run. */
      readonly run_id: string
      /** The name of the model. */
      readonly model: string
      /** The tools that it may use, by the names that the model sees. */
      readonly granted_tools: readonly string[]
    }
  | {
      /** Something that the run says. */
      readonly event: 'sse'
      /** The chunk. */
      readonly data: Chunk
    }
  | {
      /** Why the run failed; `end` follows. */
      readonly event: 'error'
      /** The code to branch on. */
      readonly errorCode: string
      /** What went wrong. */
      readonly message: string
      /** More about it. */
      readonly details?: ErrorDetails
    }
  | {
      /** The run is over: the last frame. */
      readonly event: 'end'
      /** The id of the run. */
      readonly run_id: string
    }
