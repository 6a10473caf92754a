import type { EmbeddingModelV4, ImageModelV4 } from '@ai-sdk/provider'
import {
  all,
  between,
  flag,
  judgeOptions,
  kindOf,
  OptionError,
  object,
  oneOf,
  orNull,
  type Rule,
  record,
  text,
  textThat,
  whole,
} from '@svc/node/options'
import { devEmbedding, devImages } from './dev-images.ts'
import { devModel } from './dev-model.ts'
import type { ConfiguredModel, ConfiguredModels } from './models.ts'
import { type OpenaiServer, openaiEmbedding, openaiModel } from './openai.ts'
import { knownOf, quirkNames, quirksRule } from './server-quirks.ts'
import { baseUrlRule, keyRule, meant, meantKey } from './server-settings.ts'

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
      | 'SVC_LLM_BASE_URL'
      | 'SVC_LLM_API_KEY'
      | 'SVC_LLM_MODEL'
      | 'SVC_LLM_VISION'
      | 'SVC_LLM_EMBEDDING_MODEL'
      | 'SVC_LLM_QUIRKS'
      | 'SVC_LLM_CONTEXT_TOKENS',
      string
    >
  >
>

/** What the models of a server need of a host. */
export type ServerParts = Pick<OpenaiServer, 'clock' | 'limits'>

/**
 * The models of a host: those that it was given, else those of the environment, else the development model.
 * Errors: `OptionError` where the environment is wrong; a key is in none.
 */
export function readModels(
  options: ModelOptions,
  environment: ModelEnvironment,
  parts: ServerParts,
): ModelSettings {
  const { models, embeddingModel, imageModel = null } = options
  if (models === null) return { models: null, embeddingModel: null, imageModel }
  if (models !== undefined) return { models, embeddingModel: embeddingModel ?? null, imageModel }
  const found = fromEnvironment(environment, parts)
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
  { clock, limits }: ServerParts,
): Omit<ModelSettings, 'imageModel'> | null {
  const settings: ModelEnvironment = ofModels(environment)
  const { SVC_LLM_BASE_URL: base, SVC_LLM_API_KEY: apiKey, SVC_LLM_MODEL: model } = settings
  const { SVC_LLM_VISION: vision, SVC_LLM_EMBEDDING_MODEL: embedding } = settings
  const { SVC_LLM_QUIRKS: quirks = '', SVC_LLM_CONTEXT_TOKENS: context } = settings
  judgeOptions('createHost', environmentRule, settings)
  if (!base) {
    const [other] = Object.keys(settings)
    if (other !== undefined) throw new OptionError(`createHost: ${other} needs SVC_LLM_BASE_URL`)
    return null
  }
  if (!model)
    throw new OptionError('createHost: SVC_LLM_BASE_URL needs SVC_LLM_MODEL, the name of a model there')
  const server = { baseURL: base, apiKey: apiKey || undefined, clock, limits }
  const chat = openaiModel({ ...server, quirks: knownOf(quirkNames(quirks)) }, model)
  return {
    models: {
      default: {
        model: chat,
        vision: vision === '1',
        ...(context !== undefined && { contextTokens: Number(context) }),
      },
    },
    embeddingModel: embedding ? openaiEmbedding(server, embedding) : null,
  }
}

/** The variables that are about models, as they were meant; one that is empty is as if it were not there. */
const ofModels = (environment: object) =>
  Object.fromEntries(
    Object.entries(environment)
      .filter(([name]) => name.startsWith('SVC_LLM_'))
      .map(([name, value]) => [name, name === 'SVC_LLM_API_KEY' ? meantKey(value) : meant(value)])
      .filter(([, value]) => value !== ''),
  )

const environmentRule = object({
  SVC_LLM_BASE_URL: baseUrlRule,
  SVC_LLM_API_KEY: keyRule,
  SVC_LLM_MODEL: text,
  SVC_LLM_VISION: oneOf('1', '0'),
  SVC_LLM_EMBEDDING_MODEL: text,
  SVC_LLM_QUIRKS: quirksRule,
  SVC_LLM_CONTEXT_TOKENS: textThat('must be a whole number of tokens, such as 8192', /^[1-9]\d{2,8}$/),
} satisfies Record<keyof ModelEnvironment, Rule>)

/** A model of the AI SDK 7. */
export const modelRule: Rule = (value, name) => {
  const version = typeof value === 'object' && value !== null && Reflect.get(value, 'specificationVersion')
  if (version === 'v4') return null
  const got = typeof version === 'string' ? version : kindOf(value)
  return `${name} must be a model object of the AI SDK with specificationVersion v4 (ai 7), got ${got}`
}

/** The shortest context that a model can answer in. */
const CONTEXT_MIN_TOKENS = 100

const score = between(0, 1)
const configured = object(
  {
    model: modelRule,
    vision: flag,
    contextTokens: whole(CONTEXT_MIN_TOKENS),
    cost: score,
    speed: score,
    intelligence: score,
  } satisfies Record<keyof ConfiguredModel, Rule>,
  'model',
)

/** What `createHost({ models })` may be. */
export const modelsRule = orNull(
  all(record(configured), (value, name) =>
    Object.hasOwn(Object(value), 'default') ? null : `${name} needs one with the name default`,
  ),
)
