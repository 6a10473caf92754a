import type { LanguageModelV4 } from '@ai-sdk/provider'
import { limits } from '@svc/contract'
import { systemClock } from '@svc/node'
import { judgeOptions, list, object, type Rule, text } from '@svc/node/options'
import { openaiModel } from './openai.ts'
import { knownOf, quirkRule } from './server-quirks.ts'
import { baseUrlRule, keyRule } from './server-settings.ts'

/** A model at a server of OpenAI's protocol. */
export interface ServerModelOptions {
  /** The base URL of the server, such as `https://models.site.org/v1`. */
  readonly baseURL: string
  /** Its key, where it needs one. */
  readonly apiKey?: string | undefined
  /** The name of a model there. */
  readonly model: string
  /** What is known of the server, by the names of the guide to models. The host learns what is not named. */
  readonly quirks?: readonly string[] | undefined
}

const rule = object(
  {
    baseURL: baseUrlRule,
    apiKey: keyRule,
    model: text,
    quirks: list(quirkRule),
  } satisfies Record<keyof ServerModelOptions, Rule>,
  'baseURL',
  'model',
)

/**
 * Makes a model for `createHost({ models })` that learns what its server does not take, as the model of the environment
 * does. Throws an `OptionError` where an option is wrong.
 */
export function serverModel(options: ServerModelOptions): LanguageModelV4 {
  judgeOptions('serverModel', rule, options)
  const { baseURL, apiKey, model, quirks = [] } = options
  return openaiModel({ baseURL, apiKey, quirks: knownOf(quirks), clock: systemClock, limits }, model)
}
