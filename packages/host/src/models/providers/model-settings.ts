import type { EmbeddingModelV4, ImageModelV4 } from '@ai-sdk/provider'
import type { Limits } from '@svc/contract'
import { devEmbedding, devImages } from './dev-images.ts'
import { devModel } from './dev-model.ts'
import type { ConfiguredModels } from './models.ts'
import { openaiEmbedding, openaiModel } from './openai.ts'

/** Which models a host has; `null`: none. */
export interface ModelSettings {
  readonly models: ConfiguredModels | null
  readonly embeddingModel: EmbeddingModelV4 | null
  readonly imageModel: ImageModelV4 | null
}

/** The models that `createHost` was given. */
export interface ModelOptions {
  readonly models?: ConfiguredModels | null | undefined
  readonly embeddingModel?: EmbeddingModelV4 | undefined
  readonly imageModel?: ImageModelV4 | undefined
}

/** The variables of the environment that name an OpenAI-compatible server. */
export type ModelEnvironment = Readonly<
  Partial<
    Record<
      'SVC_LLM_BASE_URL' | 'SVC_LLM_API_KEY' | 'SVC_LLM_MODEL' | 'SVC_LLM_VISION' | 'SVC_LLM_EMBEDDING_MODEL',
      string
    >
  >
>

/**
 * The models of a host: those that it was given, else those of the environment, else the development model.
 * Throws an Error that says what is wrong; a key is in none.
 */
export function readModels(
  options: ModelOptions,
  environment: ModelEnvironment,
  limits: Pick<Limits, 'MODEL_RESPONSE_MAX_BYTES'>,
): ModelSettings {
  const { models, embeddingModel, imageModel = null } = options
  if (imageModel) checkVersion('imageModel', imageModel)
  if (embeddingModel) checkVersion('embeddingModel', embeddingModel)
  if (models === null) return { models: null, embeddingModel: null, imageModel }
  if (models !== undefined) {
    checkModels(models)
    return { models, embeddingModel: embeddingModel ?? null, imageModel }
  }
  const found = fromEnvironment(environment, limits)
  if (found)
    return { models: found.models, embeddingModel: embeddingModel ?? found.embeddingModel, imageModel }
  return {
    models: { default: { model: devModel(), vision: true } },
    embeddingModel: embeddingModel ?? devEmbedding(),
    imageModel: imageModel ?? devImages(),
  }
}

function fromEnvironment(
  environment: ModelEnvironment,
  limits: Pick<Limits, 'MODEL_RESPONSE_MAX_BYTES'>,
): Omit<ModelSettings, 'imageModel'> | null {
  const { SVC_LLM_BASE_URL: base, SVC_LLM_API_KEY: apiKey, SVC_LLM_MODEL: model } = environment
  const { SVC_LLM_VISION: vision, SVC_LLM_EMBEDDING_MODEL: embedding } = environment
  if (!base) {
    if (model || apiKey)
      throw new Error('createHost: SVC_LLM_MODEL and SVC_LLM_API_KEY need SVC_LLM_BASE_URL')
    return null
  }
  const url = URL.canParse(base) ? new URL(base) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new Error(
      'createHost: SVC_LLM_BASE_URL must be an http or https address without a user, such as https://api.site.org/v1',
    )
  if (!model) throw new Error('createHost: SVC_LLM_BASE_URL needs SVC_LLM_MODEL, the name of a model there')
  const server = { baseURL: base, apiKey: apiKey || undefined, limits }
  return {
    models: { default: { model: openaiModel(server, model), vision: vision === '1' } },
    embeddingModel: embedding ? openaiEmbedding(server, embedding) : null,
  }
}

const scores = ['cost', 'speed', 'intelligence'] as const

function checkModels(models: ConfiguredModels): void {
  if (!Object.hasOwn(models, 'default')) throw new Error('createHost: models needs one with the name default')
  for (const [name, configured] of Object.entries(models)) {
    checkVersion(`models.${name}.model`, configured.model)
    for (const score of scores) {
      const value = configured[score]
      if (value !== undefined && !(value >= 0 && value <= 1))
        throw new Error(`createHost: models.${name}.${score} must be from 0 to 1, got ${value}`)
    }
  }
}

function checkVersion(
  name: string,
  model: { readonly specificationVersion?: unknown } | string | undefined,
): void {
  const version = typeof model === 'object' ? model.specificationVersion : undefined
  if (version !== 'v4')
    throw new Error(
      `createHost: ${name} must be a model object of the AI SDK with specificationVersion v4 (ai 7), got ${String(version ?? typeof model)}`,
    )
}
