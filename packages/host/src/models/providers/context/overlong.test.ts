import { expect, it } from 'vitest'
import { overlong } from './overlong.ts'

// biome-ignore format: one wording a line
it.each<[string, number, string, number | null, number | null]>([
  ['OpenAI', 400, "This model's maximum context length is 4097 tokens. However, your messages resulted in 4927 tokens. Please reduce the length of the messages.", 4097, 4927],
  ['OpenAI, with the answer', 400, "This model's maximum context length is 4097 tokens. However, you requested 4927 tokens (927 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.", 4097, 927],
  ['OpenAI, newer', 400, '{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","code":"context_length_exceeded"}}', null, null],
  ['vLLM', 400, "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 4096 tokens and your request has 50 input tokens (4096 > 4096 - 50).", 4096, 50],
  ['vLLM, newer', 400, "You passed 5001 input tokens and requested 0 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 4096 tokens. Please reduce the length of the input prompt.", 4096, 5001],
  ['vLLM, older', 400, 'This model\'s maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion).', 16384, 112946],
  ['llama.cpp', 400, '{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":1407,"n_ctx":256}}', 256, 1407],
  ['llama.cpp, newest', 400, 'request (1407 tokens) exceeds the available context size (256 tokens), try increasing it', 256, 1407],
  ['Ollama', 400, '{"error":{"message":"the input length exceeds the context length"}}', null, null],
  ['LM Studio', 400, '{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough."}', 4096, 5000],
  ['LM Studio, newer', 400, '{"error":"The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input"}', null, null],
  ['SGLang', 400, "The input (5000 tokens) is longer than the model's context length (4096 tokens).", 4096, 5000],
  ['SGLang, with the answer', 400, "Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 9000 tokens: 5000 tokens from the input messages and 4000 tokens for the completion.", 8192, 5000],
  ['Groq', 400, '{"error":{"message":"Please reduce the length of the messages or completion.","code":"context_length_exceeded"}}', null, null],
  ['Groq, by the minute', 413, 'Request too large for model `m` in organization `o` on tokens per minute (TPM): Limit 6000, Requested 7000, please reduce your message size and try again.', 6000, 7000],
  ['Cerebras', 400, 'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192', 8192, 9000],
  ['Anthropic', 400, 'prompt is too long: 213462 tokens > 200000 maximum', 200000, 213462],
  ['Anthropic, with the answer', 400, 'input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens` and try again', 200000, 178959],
  ['Anthropic, by bytes', 413, '{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}', null, null],
  ['Gemini', 400, 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).', 1048575, 1196265],
  ['Gemini, without numbers', 400, 'The input token count exceeds the maximum number of tokens allowed.', null, null],
  ['xAI', 400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131072, 537812],
  ['Mistral', 400, 'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length', 32768, 40000],
  ['DeepSeek', 400, "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (66000 in the messages, 4000 in the completion).", 65536, 66000],
  ['Qwen', 400, 'Range of input length should be [1, 30720]', 30720, null],
  ['Kimi', 400, 'Invalid request: Your request exceeded model token limit: 8192 (requested: 9000)', 8192, 9000],
  ['Copilot', 400, 'prompt token count of 9000 exceeds the limit of 8192', 8192, 9000],
  ['Cohere', 400, 'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292. Try using a shorter prompt', 4081, 4292],
  ['TGI', 422, 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 1500 `inputs` tokens and 1000 `max_new_tokens`', 2048, 1500],
  ['TGI, the input', 422, 'Input validation error: `inputs` must have less than 1024 tokens. Given: 2000', 1024, null],
  ['Bedrock', 400, 'Input is too long for requested model.', null, null],
  ['OpenRouter', 400, "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens (36000 of text input, 4000 in the output).", 32768, 40000],
  ['MiniMax', 400, 'invalid params, context window exceeds limit', null, null],
  ['z.ai', 400, 'Prompt exceeds max length', null, null],
  ['Fireworks', 400, 'The prompt is too long: 9000, model maximum context length: 8191', 8191, 9000],
  ['z.ai, in Chinese', 400, 'Prompt 超长', null, null],
  ['MLX', 500, 'Prompt length exceeds max_kv_size', null, null],
  ['OpenAI, of messages', 400, "Invalid 'messages': array too long. Expected an array with maximum length 2048, but got an array with length 2049 instead.", null, null],
  ['OpenAI, of a minute', 429, 'Request too large for m on tokens per min (TPM): Limit 30000, Requested 35000. The input or output tokens must be reduced in order to run successfully.', 30000, 35000],
  ['nginx', 413, '<html><head><title>413 Request Entity Too Large</title></head></html>', null, null],
])('%s says that a request is too long', (_server, status, said, limit, asked) => {
  expect(overlong(status, said)).toEqual({ limit, asked })
})

it.each([
  [
    'a limit of the answer',
    'max_tokens is too large: 8192. This model supports at most 4096 completion tokens, whereas you provided 8192.',
  ],
  ['another limit of the answer', 'Range of max_tokens should be [1, 8192]'],
  [
    'a limit of the answer in the words of Cohere',
    'too many tokens: max tokens must be less than or equal to 4096',
  ],
  [
    'a field',
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  ],
  ['a key', 'Incorrect API key provided'],
  ['a name', "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64"],
  [
    'tools',
    "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 200 instead.",
  ],
  ['nothing', ''],
])('%s is not about the length of a request', (_name, said) => {
  expect(overlong(400, said)).toBe(null)
})

it('a limit of tokens a minute is not about the length of a request', () => {
  expect(overlong(429, 'Too many tokens, please wait before trying again.')).toBe(null)
})
