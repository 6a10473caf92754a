/** How the answer of a model fails, by what a server would say: an HTTP status, or a code of Node's network. */
export type ModelError =
  | { readonly status: number }
  | { readonly code: 'ECONNREFUSED' | 'ECONNRESET' | (string & {}) }

/** The tokens that an answer reports. Default: none, so that the host estimates them. */
export interface ModelUsage {
  /** Tokens of the prompt. */
  readonly input: number
  /** Tokens of the answer. */
  readonly output: number
}

/** One answer of a scripted model. */
export interface ModelAnswer {
  /** What it says: whole, or in the pieces that stream. */
  readonly text?: string | readonly string[]
  /** The time between two pieces, in ms of the test's clock. Default 0. */
  readonly everyMs?: number
  /** A tool that it calls after its text, as `plugin.tool` or by the whole name that it has in the session. */
  readonly call?: { readonly tool: string; readonly args?: unknown }
  /** How it fails after its text. The host asks again where nothing was said yet and the failure may pass. */
  readonly error?: ModelError
  /** Why it stopped. Default `stop`, or `tool-calls` with a call. */
  readonly finish?: 'stop' | 'length'
  /** The tokens that it reports. */
  readonly usage?: ModelUsage
}

/** One time that a model was asked. */
export interface ModelQuestion {
  /** The messages, oldest first: who said each, and its texts as one. */
  readonly messages: readonly { readonly role: string; readonly text: string }[]
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

/** The models of a test host by name; `default` answers where nobody asks for another. */
export interface TestModels {
  readonly default: ModelScript | ScriptedModelOptions
  readonly [name: string]: ModelScript | ScriptedModelOptions
}

/** A model with more to say of it than what it answers. */
export interface ScriptedModelOptions {
  readonly answers: ModelScript
  /** Whether it sees images. Default `false`. */
  readonly vision?: boolean
}
