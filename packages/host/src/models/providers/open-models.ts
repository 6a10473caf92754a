import { refuse } from '@svc/contract'
import { type Candidate, choose } from './choose.ts'
import { guardedEmbedder } from './embedder.ts'
import { type GuardParts, guarded } from './guard.ts'
import { guardedPainter } from './image.ts'
import type { ModelSettings } from './model-settings.ts'
import type { ChosenModel, Models } from './models.ts'

/** Opens the models of a host. They hold nothing open between two calls. */
export function openModels({ models, embeddingModel, imageModel }: ModelSettings, parts: GuardParts): Models {
  const { default: first, ...others } = models ?? {}
  const candidates: Candidate[] = first ? [['default', first], ...Object.entries(others)] : []
  const ready = new Map<string, ChosenModel>(
    candidates.map(([name, { model, vision = false }]) => [
      name,
      { name, vision, model: guarded(name, model, parts) },
    ]),
  )
  const missing = [
    ...(candidates.length === 0 ? ['llm.complete', 'llm.stream', 'llm.attach', 'llm.cancel'] : []),
    ...(embeddingModel === null ? ['llm.embed'] : []),
    ...(imageModel === null ? ['image.generate', 'image.edit'] : []),
  ]
  return {
    missing: new Set(missing),
    choose(preferences = {}, granted) {
      if (ready.size === 0) throw refuse('not_implemented', 'this host has no models')
      const [name] = choose(candidates, preferences, granted)
      const chosen = ready.get(name)
      if (!chosen) throw new Error(`the model ${name} was chosen and is not there`)
      return chosen
    },
    embedder: embeddingModel && guardedEmbedder(embeddingModel, parts),
    painter: imageModel && guardedPainter(imageModel, parts),
  }
}
