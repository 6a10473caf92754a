import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { expect, it } from 'vitest'
import { openEndpoint } from './chat/endpoint.ts'
import { devModel } from './dev-model.ts'
import { type ModelEnvironment, type ModelOptions, readModels } from './model-settings.ts'
import { meant, meantKey } from './server-settings.ts'

const read = (options: ModelOptions, environment: ModelEnvironment = {}) =>
  readModels(options, environment, { clock: frozenClock(), limits })
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
const withKey = (key: string) => ({ ...server, SVC_LLM_API_KEY: key })
const at = (base: string) => ({ ...withKey(KEY), SVC_LLM_BASE_URL: base })

it.each([
  [
    at('llama.local'),
    /must be an http or https address .*got "llama.local": write http:\/\/ or https:\/\/ before it/,
  ],
  [at('localhost:11434/v1'), /write http:\/\/ or https:\/\/ before it/],
  [at('file:///etc'), /must be an http or https address .*it has another protocol/],
  [at(`https://u:${KEY}@site.org`), /without a user.*write the key into SVC_LLM_API_KEY/],
  [at(`https://${KEY}@site.org`), /without a user/],
  [at(`ftp://site.org/?key=${KEY}`), /got "ftp:\/\/site.org\/": it has another protocol/],
  [at('https://site .org/v1'), /it has a blank in it/],
  [at('https://site.org:port/v1'), /its name or port cannot be read/],
  [{ SVC_LLM_BASE_URL: 'https://site.org', SVC_LLM_API_KEY: KEY }, /needs SVC_LLM_MODEL/],
  [{ SVC_LLM_MODEL: 'llama' }, /SVC_LLM_MODEL needs SVC_LLM_BASE_URL/],
  [{ SVC_LLM_QUIRKS: 'whole' }, /SVC_LLM_QUIRKS needs SVC_LLM_BASE_URL/],
  [{ ...server, SVC_LLM_VISION: 'yes' }, /SVC_LLM_VISION must be "1" or "0", got "yes"/],
  [
    { ...server, SVC_LLM_MODLE: 'a' } as ModelEnvironment,
    /unknown option `SVC_LLM_MODLE`; did you mean `SVC_LLM_MODEL`/,
  ],
  [
    withKey(`${KEY} x`),
    /SVC_LLM_API_KEY must be one line .*, got 11 characters, of which number 10 is a blank/,
  ],
  [withKey(`${KEY}\nx`), /number 10 is a blank/],
  [withKey(`${KEY}…`), /number 10 is none that a key can have/],
  [{ SVC_LLM_API_KEY: KEY }, /SVC_LLM_API_KEY needs SVC_LLM_BASE_URL/],
])('the environment %j is refused', (environment: ModelEnvironment, sentence) => {
  expect(() => read({}, environment)).toThrow(sentence)
  expect(() => read({}, environment)).not.toThrow(KEY)
})

it.each([
  [' sk-1 ', 'sk-1'],
  ['sk-1\r', 'sk-1'],
  ['sk-1\r\n', 'sk-1'],
  ['"sk-1"', 'sk-1'],
  ["'sk-1'", 'sk-1'],
  ['Bearer sk-1', 'sk-1'],
  ['Authorization: bearer sk-1', 'sk-1'],
  ['"Bearer sk-1"', 'sk-1'],
  ['\uFEFFsk-1', 'sk-1'],
])('the key %j is meant to be another', (key, meaning) => {
  expect(meantKey(key)).toBe(meaning)
  expect(() => read({}, withKey(key))).not.toThrow()
})

it.each([
  ['http://a.test/v1', 'http://a.test/v1/chat/completions'],
  [' "http://a.test/v1/" ', 'http://a.test/v1/chat/completions'],
  ['http://a.test', 'http://a.test/chat/completions'],
  ['http://a.test/v1/chat/completions', 'http://a.test/v1/chat/completions'],
  ['http://a.test/v1/chat/completions/', 'http://a.test/v1/chat/completions'],
  ['http://a.test/v1/models', 'http://a.test/v1/chat/completions'],
  [
    'https://a.openai.azure.com/openai/deployments/d?api-version=2024-10-21',
    'https://a.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21',
  ],
])('the base URL %j has chats at %s', (base, url) => {
  const parts = { clock: frozenClock(), limits, apiKey: undefined }
  expect(openEndpoint({ ...parts, baseURL: meant(base) }, '/chat/completions').url().href).toBe(url)
  expect(() => read({}, { ...server, SVC_LLM_BASE_URL: base })).not.toThrow()
})
