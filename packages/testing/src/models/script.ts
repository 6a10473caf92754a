/** How the answer of a model fails, by what its server or the network says. */
export type ModelError =
  | {
      /** An HTTP status of the server: 400 refuses the request, 429 is busy, 500 is broken. */
      readonly status: number
    }
  | {
      /** A code of Node's network: `ECONNREFUSED` for a server that is not reached, `ECONNRESET` for one that breaks off. */
      readonly code: 'ECONNREFUSED' | 'ECONNRESET' | (string & {})
    }

/** The tokens that an answer reports. */
export interface ModelUsage {
  /** Tokens of the prompt. */
  readonly input: number
  /** Tokens of the answer. */
  readonly output: number
}

/** A tool that a model calls. */
export interface ModelCall {
  /** The tool as `plugin.tool`, by the name of the plugin in the manifest; or the whole name that it has in the session. */
  readonly tool: string
  /** Its arguments, as JSON. Default: none. */
  readonly args?: unknown
}

/** One answer of a scripted model. */
export interface ModelAnswer {
  /** What it says: whole, or in the pieces that stream. */
  readonly text?: string | readonly string[]
  /** The time between two pieces, in ms of the test's clock. Default 0. */
  readonly everyMs?: number
  /** A tool that it calls after its text; what the tool returns is in the next question. */
  readonly call?: ModelCall
  /** How it fails after its text. The host asks again where nothing was said yet and the failure may pass. */
  readonly error?: ModelError
  /** Why it stopped: `length` is an answer that was cut off. Default: by itself, or for its call. */
  readonly finish?: 'stop' | 'length'
  /** The tokens that it reports. Default: none, so that the host estimates them. */
  readonly usage?: ModelUsage
}

/** A message that a model was asked with. */
export interface ModelMessage {
  /** Who said it: `system`, `user`, `assistant` or `tool`. */
  readonly role: string
  /** Its texts as one; of a tool, what it returned as JSON. */
  readonly text: string
}

/** One time that a model was asked. */
export interface ModelQuestion {
  /** The messages, oldest first. */
  readonly messages: readonly ModelMessage[]
  /** The names of the tools that it may call. */
  readonly tools: readonly string[]
  /** The most tokens that it may answer with. */
  readonly maxTokens: number | undefined
}

/**
 * What a model says: answers one after the other, of which a text alone is the shortest; or a function that makes each
 * from its question.
 *
 * @example
 * ```ts
 * const models = { default: ['Hello!', { text: ['One ', 'two'], everyMs: 100 }, { error: { status: 429 } }] }
 * ```
 */
export type ModelScript =
  | readonly (string | ModelAnswer)[]
  | ((question: ModelQuestion) => string | ModelAnswer | Promise<string | ModelAnswer>)

/** A model with more to say of it than what it answers. */
export interface ScriptedModelOptions {
  /** What it answers. */
  readonly answers: ModelScript
  /** Whether it sees images. Default `false`. */
  readonly vision?: boolean
}

/** The models of a test host by name. */
export interface TestModels {
  /** The model that a caller without preferences gets. */
  readonly default: ModelScript | ScriptedModelOptions
  readonly [name: string]: ModelScript | ScriptedModelOptions
}
