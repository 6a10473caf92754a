import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { waitOf } from './retry-after.ts'
import { saidStatus, saidWait } from './said-meaning.ts'

verifies.each('decision.model.fixes')([
  ['OpenRouter', 404, 'm-1 is not a valid model ID'],
  ['Mistral', 404, 'Invalid model: m-1'],
  ['DeepSeek', 404, 'Model Not Exist'],
  [
    'LiteLLM',
    404,
    '/chat/completions: Invalid model name passed in model=m-1. Call `/v1/models` to view models',
  ],
  ['Groq', 404, 'The model `m-1` has been decommissioned and is no longer supported.'],
  ['Hugging Face', 404, "The requested model 'm-1' is not supported by any provider you have enabled."],
  ['Azure', 404, 'The chatCompletion operation does not work with the specified model, m-1.'],
  ['llama-swap', 404, 'could not find real modelID for m-1'],
  ['Ollama', 404, '"m-1" does not support chat'],
  ['Bedrock', 404, 'The provided model identifier is invalid.'],
  ['xAI', 401, 'Incorrect API key provided: xx. You can obtain an API key from https://console.x.ai.'],
  ['Gemini', 401, 'API key not valid. Please pass a valid API key.'],
  ['Gemini', 401, 'Missing or invalid Authorization header.'],
  ['AWS', 401, 'The security token included in the request is invalid.'],
  ['Databricks', 401, 'Invalid access token.'],
  ['MiniMax', 401, 'login fail: Please carry the API secret key'],
  ['Anthropic', 402, 'Your credit balance is too low to access the Anthropic API.'],
  ['xAI', 402, "Your newly created team doesn't have any credits or licenses yet."],
  ['Qwen', 402, 'Access denied, please make sure your account is in good standing.'],
  ['z.ai', 402, '余额不足或无可用资源包,请充值。'],
  ['DeepSeek', 402, 'Insufficient Balance'],
  ['OpenAI', 400, 'Invalid prompt: your prompt was flagged as potentially violating our usage policy.'],
  ['xAI', 400, 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO'],
  ['OpenRouter', 400, 'm-1 requires moderation on OpenAI. Your input was flagged for "violence".'],
  ['Kimi', 400, 'The request was rejected because it was considered high risk'],
  ['z.ai', 400, '系统检测到输入或生成内容可能包含不安全或敏感内容'],
  ['Doubao', 400, 'The request failed because the input text may contain sensitive information.'],
  ['Qwen', 400, 'Input data may contain inappropriate content.'],
  ['DeepSeek', 400, 'Content Exists Risk'],
  [
    'Gemini, of a limit',
    null,
    'You exceeded your current quota, please check your plan and billing details.',
  ],
  ['OpenRouter, of tools', null, 'No endpoints found that support tool use.'],
  ['Ollama, of tools', null, 'registry.ollama.ai/library/gemma:2b does not support tools'],
  ['vLLM, of a context', null, "This model's maximum context length is 4096 tokens."],
  ['llama.cpp, of images', null, 'image input is not supported'],
  ['any, that repeats what it was asked', null, `no ${'.'.repeat(400)} Invalid model: m-1`],
])('%s means %j with its words', (_server, status, words) => {
  expect(saidStatus(words)).toBe(status)
})

verifies.each('decision.model.retry_after')([
  ['Please retry after 36 seconds.', 36_000],
  ['Please try again in 20s. Contact us', 20_000],
  ['Please try again in 7m12.5s.', 432_500],
  ['Please retry in 34.07s.', 34_070],
  ['try again in 120ms', 120],
  ['Please wait for 2 minutes', 120_000],
  ['Please try again in 5 ms', 5],
  ['Please try again in an hour', null],
  ['Please try again later', null],
])('%j waits %j ms', (words, ms) => {
  expect(waitOf(saidWait(words) ?? undefined, 0)).toBe(ms)
})
