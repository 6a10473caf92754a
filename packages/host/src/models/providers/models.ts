import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type ModelPreferences, refuse } from '@svc/contract'
import { bordered } from './border/bordered.ts'
import { guardedEmbedder } from './embedder.ts'
import { type GuardParts, guarded } from './guard.ts'
import { guardedPainter } from './image.ts'
import type { ModelSettings } from './model-settings.ts'
import type { ReadableModel } from './part-reader.ts'

/** A model as an operator names it in `createHost({ models })`. */
export interface ConfiguredModel {
  /** Any language model of the AI SDK with the interface v4: that of version 7 and its providers. */
  readonly model: LanguageModelV4
  /** Whether it sees images. Default `false`. */
  readonly vision?: boolean
  /** The tokens of its context, questions and answer together. Left out: learnt from the first refusal. */
  readonly contextTokens?: number
  /**
   * From 0 to 1, for the priorities of callers; 0.5 where nothing is said. 1 is the most expensive, the fastest, the
   * most able.
   */
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
  readonly model: ReadableModel
}

/** A configured model with its name. */
type Candidate = readonly [name: string, configured: ConfiguredModel]

const MIDDLE = 0.5

/**
 * The model that fits best: of those that the install allows, the first hint that begins a name or an id counts, then
 * the priorities, then the order in which they were configured, `default` first. Hints and priorities are wishes:
 * one that nothing fits changes nothing.
 * Errors: `permission_denied` where the install allows none.
 */
export function choose(
  candidates: readonly Candidate[],
  { hints = [], ...priorities }: ModelPreferences,
  granted: readonly string[] | undefined,
): Candidate {
  const allowed = candidates.filter(
    ([name, { model }]) => !granted || granted.includes(name) || granted.includes(model.modelId),
  )
  const hinted = hints
    .map((hint) => allowed.filter((candidate) => begins(candidate, hint.name)))
    .find((fitting) => fitting.length > 0)
  const [first, ...others] = hinted ?? allowed
  if (!first)
    throw refuse('permission_denied', 'this app may use none of the models of this host', {
      denied_by: 'grant',
      hint: `Install the app without models, or with some of: ${candidates.map(([name]) => name).join(', ')}.`,
    })
  return others.reduce((best, one) => (score(one, priorities) > score(best, priorities) ? one : best), first)
}

function begins([name, { model }]: Candidate, hint: string): boolean {
  const wanted = hint.toLowerCase()
  return [name, model.modelId].some((one) => one.toLowerCase().startsWith(wanted))
}

function score(
  [, { cost = MIDDLE, speed = MIDDLE, intelligence = MIDDLE }]: Candidate,
  { costPriority = 0, speedPriority = 0, intelligencePriority = 0 }: Omit<ModelPreferences, 'hints'>,
): number {
  return costPriority * (1 - cost) + speedPriority * speed + intelligencePriority * intelligence
}

/** Opens the models of a host. They hold nothing open between two calls. */
export function openModels({ models, embeddingModel, imageModel }: ModelSettings, parts: GuardParts) {
  const { default: first, ...others } = models ?? {}
  const candidates: Candidate[] = first ? [['default', first], ...Object.entries(others)] : []
  const ready = new Map<string, ChosenModel>(
    candidates.map(([name, { model, vision = false, contextTokens = null }]) => [
      name,
      { name, vision, model: guarded(name, bordered(model), parts, contextTokens) },
    ]),
  )
  const missing = [
    ...(candidates.length === 0 ? ['llm.complete', 'llm.stream', 'llm.attach', 'llm.cancel'] : []),
    ...(embeddingModel === null ? ['llm.embed'] : []),
    ...(imageModel === null ? ['image.generate', 'image.edit'] : []),
  ]
  return {
    /** The methods that this host does not implement: they fail with `not_implemented`, and `hello` leaves them out. */
    missing: new Set(missing),
    /**
     * The model that fits best among those the install allows (`undefined`: all).
     * Errors: `permission_denied` where it allows none of them, `not_implemented` where the host has none.
     */
    choose(preferences: ModelPreferences | undefined = {}, granted: readonly string[] | undefined) {
      if (ready.size === 0) throw refuse('not_implemented', 'this host has no models')
      const [name] = choose(candidates, preferences, granted)
      const chosen = ready.get(name)
      if (!chosen) throw new Error(`the model ${name} was chosen but is not configured`)
      return chosen
    },
    /** `null`: this host has none. */
    embedder: embeddingModel && guardedEmbedder(embeddingModel, parts),
    /** `null`: this host has none. */
    painter: imageModel && guardedPainter(imageModel, parts),
  }
}

/** The models of a host. */
export type Models = ReturnType<typeof openModels>
