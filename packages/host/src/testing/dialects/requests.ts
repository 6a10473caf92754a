import type { Dialect } from './dialect.ts'
import { json, type Reply, refuses, says, unless } from './reply.ts'
import { lacks, learnt } from './rows.ts'

/** A server whose answers are shorter than what we ask for, in its words. */
const short = (servers: string, words: string, max: number, refusal: Reply): Dialect => ({
  servers,
  does: `gives no answer of so many tokens: ${words}`,
  we: 'ask for as many as it gives',
  script: unless(({ max_tokens }) => Number(max_tokens) <= max, refusal),
  ...learnt,
})

const useOther =
  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."

/** What servers refuse of the tokens of an answer, and refusals that nothing explains. */
export const requests: readonly Dialect[] = [
  {
    servers: 'OpenAI, Ollama, vLLM, llama.cpp',
    does: 'takes all that is sent',
    we: 'send one request, which asks for the usage too',
    script: ({ stream_options }) => (stream_options ? says() : refuses('stream_options is missing')),
  },
  {
    servers: 'OpenAI from o1 on, Azure',
    does: 'wants `max_completion_tokens` and refuses `max_tokens`',
    we: 'send the other from then on',
    script: unless(
      (body) => body.max_completion_tokens === 100 && lacks('max_tokens')(body),
      refuses(useOther, { param: 'max_tokens', code: 'unsupported_parameter' }),
    ),
    ...learnt,
  },
  {
    servers: 'GitHub Copilot, proxies of Azure',
    does: 'says so without naming the field apart',
    we: 'send the other from then on',
    script: unless(
      lacks('max_tokens'),
      json({ error: { message: useOther, code: 'invalid_request_body' } }, 400),
    ),
    ...learnt,
  },
  {
    servers: 'gateways in front of reasoning models',
    does: 'takes neither field for the most tokens',
    we: 'send none',
    script: (body) =>
      'max_tokens' in body
        ? refuses(useOther, { param: 'max_tokens' })
        : 'max_completion_tokens' in body
          ? refuses('Unknown parameter: max_completion_tokens', { code: 'unknown_parameter' })
          : says(),
    asked: 3,
  },
  short(
    'OpenAI',
    '"max_tokens is too large"',
    64,
    refuses(
      'max_tokens is too large: 100. This model supports at most 64 completion tokens, whereas you provided 100.',
      { param: 'max_tokens', code: 'invalid_value' },
    ),
  ),
  short(
    'Groq',
    '"must be less than or equal to"',
    64,
    refuses(
      '`max_tokens` must be less than or equal to `64`, the maximum value for `max_tokens` is less than the `context_window` for this model',
      { param: 'max_tokens' },
    ),
  ),
  short(
    'DeepSeek',
    '"the valid range"',
    64,
    refuses('Invalid max_tokens value, the valid range of max_tokens is [1, 64]'),
  ),
  short(
    'Anthropic',
    '"100 > 64"',
    64,
    json(
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'max_tokens: 100 > 64, which is the maximum allowed number of output tokens for m-1',
        },
      },
      400,
    ),
  ),
  short(
    'Qwen',
    '"Range of max_tokens"',
    64,
    json({ code: 'InvalidParameter', message: 'Range of max_tokens should be [1, 64]' }, 400),
  ),
  short(
    'Cohere',
    '"too many tokens"',
    64,
    json({ message: 'too many tokens: max tokens must be less than or equal to 64' }, 400),
  ),
  short(
    'Bedrock',
    'the limit is not told',
    50,
    json(
      { message: 'The maximum tokens you requested exceeds the model limit. Try again with a lower value.' },
      400,
    ),
  ),
  {
    servers: 'any',
    does: 'refuses a request in words that nobody knows',
    we: 'tell the user after one request',
    script: () => refuses('The moon is in the wrong house.'),
    gets: { code: 'invalid_arg' },
  },
  {
    servers: 'any',
    does: 'goes on refusing what was left out',
    we: 'tell the user after the second request',
    script: () => refuses("Unknown parameter: 'stream_options'"),
    gets: { code: 'invalid_arg' },
    asked: 2,
  },
]
