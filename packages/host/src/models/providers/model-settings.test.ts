import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect, it } from 'vitest'
import { devModel } from './dev-model.ts'
import { type ModelEnvironment, type ModelOptions, readModels } from './model-settings.ts'

const read = (options: ModelOptions, environment: ModelEnvironment = {}) =>
  readModels(options, environment, limits)
const server = { SVC_LLM_BASE_URL: 'http://127.0.0.1:1/v1', SVC_LLM_MODEL: 'llama' }

verifies.each('design.models.environment')([
  ['nothing', {}, ['svc-dev', true, 'svc-dev']],
  ['a server', server, ['llama', false, null]],
  ['one that sees', { ...server, SVC_LLM_VISION: '1' }, ['llama', true, null]],
  ['one that does not', { ...server, SVC_LLM_VISION: '0' }, ['llama', false, null]],
  ['one with vectors', { ...server, SVC_LLM_EMBEDDING_MODEL: 'e5' }, ['llama', false, 'e5']],
  ['empty texts', { SVC_LLM_BASE_URL: '', SVC_LLM_API_KEY: '' }, ['svc-dev', true, 'svc-dev']],
])('%s', (_name, environment: ModelEnvironment, expected) => {
  const { models, embeddingModel } = read({}, environment)
  const { model, vision } = models?.default ?? {}
  expect([model?.modelId, vision, embeddingModel?.modelId ?? null]).toEqual(expected)
})

verifies('design.models.configured', 'what the host is given counts before the environment', () => {
  expect(read({ models: null }, server)).toEqual({ models: null, embeddingModel: null, imageModel: null })
  const models = { default: { model: devModel() } }
  expect(read({ models }, server)).toEqual({ models, embeddingModel: null, imageModel: null })
})

const KEY = 'sk-secret'

it.each([
  [{ ...server, SVC_LLM_BASE_URL: 'llama.local', SVC_LLM_API_KEY: KEY }, /must be an http or https address/],
  [{ ...server, SVC_LLM_BASE_URL: 'file:///etc' }, /must be an http or https address/],
  [{ ...server, SVC_LLM_BASE_URL: `https://u:${KEY}@site.org` }, /without a user/],
  [{ SVC_LLM_BASE_URL: 'https://site.org', SVC_LLM_API_KEY: KEY }, /needs SVC_LLM_MODEL/],
  [{ SVC_LLM_MODEL: 'llama' }, /need SVC_LLM_BASE_URL/],
  [{ SVC_LLM_API_KEY: KEY }, /need SVC_LLM_BASE_URL/],
])('the environment %j is refused', (environment: ModelEnvironment, sentence) => {
  expect(() => read({}, environment)).toThrow(sentence)
  expect(() => read({}, environment)).not.toThrow(KEY)
})

const model = devModel()

it.each([
  [{}, /models needs one with the name default/],
  [{ fast: { model } }, /models needs one with the name default/],
  [
    { default: { model: 'gpt-9' } },
    /models.default.model must be a model object of the AI SDK .* got string/,
  ],
  [{ default: {} }, /got undefined/],
  [
    { default: { model }, old: { model: { ...model, specificationVersion: 'v2' } } },
    /models.old.model .* v2/,
  ],
  [{ default: { model, cost: 2 } }, /models.default.cost must be from 0 to 1, got 2/],
  [{ default: { model, speed: Number.NaN } }, /models.default.speed must be from 0 to 1, got NaN/],
])('the models %# are refused', (models, sentence) => {
  expect(() => read({ models: models as never })).toThrow(sentence)
})

it('an embedding model of another version is refused', () => {
  expect(() => read({ embeddingModel: { specificationVersion: 'v2' } as never })).toThrow(
    /embeddingModel must be/,
  )
})
