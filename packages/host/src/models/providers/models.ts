import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import type { ModelPreferences } from '@svc/contract'
import type { Painter } from './image.ts'

/** A model as an operator names it in `createHost({ models })`. */
export interface ConfiguredModel {
  /** Any language model of the AI SDK with the interface v4: that of version 7 and its providers. */
  readonly model: LanguageModelV4
  /** Whether it sees images. Default `false`. */
  readonly vision?: boolean
  /** From 0 to 1, for the priorities of callers; 0.5 where nothing is said. 1 is the dearest, the fastest, the ablest. */
  readonly cost?: number
  /** How fast it is, 0 to 1. */
  readonly speed?: number
  /** How able it is, 0 to 1. */
  readonly intelligence?: number
}

/** The models by name; `default` answers where nobody asks for another. */
export interface ConfiguredModels {
  /** The model that a caller without preferences gets. */
  readonly default: ConfiguredModel
  readonly [name: string]: ConfiguredModel
}

/** A model that was chosen, held to the rules of `guardModel` whoever calls it. */
export interface ChosenModel {
  readonly name: string
  readonly vision: boolean
  /** Throws and streams `ModelFailure`; give it no retries of its own. */
  readonly model: LanguageModelV4
}

/** The embedding model, held to the same rules. */
export interface Embedder {
  readonly modelId: string
  /**
   * The vectors of the texts in their order, and the tokens where the model tells them.
   * Errors: `ModelFailure`; the reason of `signal`.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbedResult>
}

/** What an embedding model gave. */
export interface EmbedResult {
  readonly embeddings: EmbeddingModelV4Embeddings
  readonly tokens: number | undefined
}

type EmbeddingModelV4Embeddings = Awaited<ReturnType<EmbeddingModelV4['doEmbed']>>['embeddings']

/** The models of a host. */
export interface Models {
  /**
   * The model that fits best among those the install allows (`undefined`: all).
   * Errors: `permission_denied` where it allows none of them, `not_implemented` where the host has none.
   */
  choose(preferences: ModelPreferences | undefined, granted: readonly string[] | undefined): ChosenModel
  /** The methods that nothing stands behind: they answer `not_implemented`, and `hello` leaves them out. */
  readonly missing: ReadonlySet<string>
  /** `null`: this host has none. */
  readonly embedder: Embedder | null
  /** `null`: this host has none. */
  readonly painter: Painter | null
}
