import type { Dialect, User } from './dialect.ts'
import { events, json, type Reply, refuses, type SentBody, says } from './reply.ts'

const CONTEXT = 400
/** What a server counts: four characters of text are a token. */
const tokensOf = ({ messages }: SentBody): number =>
  messages.reduce((sum, { content }) => sum + Math.ceil(String(content ?? '').length / 4), 0)

/** A server with a context of 400 tokens, for questions and answer together. */
const full =
  (refusal: (tokens: number, wanted: number) => Reply, context = CONTEXT): Dialect['script'] =>
  (body) => {
    const [tokens, wanted] = [tokensOf(body), Number(body.max_tokens)]
    return tokens + wanted <= context ? says() : refusal(tokens, wanted)
  }

/** A question of a hundred tokens. */
const question = (nth: number) => `${nth} ${'word '.repeat(80)}`
async function talk(user: User) {
  const texts: string[] = []
  for (let nth = 0; nth < 8; nth += 1) texts.push((await user.say(question(nth))).text)
  return { texts, newest: user.sent.at(-1)?.messages.at(-1) }
}
const goesOn = { texts: Array(8).fill('Hello'), newest: { content: question(7) } }

const long = (servers: string, words: string, asked: number, script: Dialect['script']): Dialect => ({
  servers,
  does: `refuses a long conversation: ${words}`,
  we: 'leave the oldest turns out, and keep to the limit from then on',
  script,
  play: talk,
  gets: goesOn,
  asked,
})

/** How servers tell that a conversation is too long for their model. */
export const contexts: readonly Dialect[] = [
  long(
    'OpenAI, DeepSeek, vLLM',
    '"maximum context length is", with both numbers',
    9,
    full((tokens, wanted) =>
      refuses(
        `This model's maximum context length is ${CONTEXT} tokens. However, you requested ${tokens + wanted} tokens (${tokens} in the messages, ${wanted} in the completion). Please reduce the length of the messages or completion.`,
        { code: 'context_length_exceeded' },
      ),
    ),
  ),
  long(
    'llama.cpp',
    '`exceed_context_size_error` with `n_ctx`',
    9,
    full((tokens) =>
      json(
        {
          error: {
            code: 400,
            message: 'the request exceeds the available context size, try increasing it',
            type: 'exceed_context_size_error',
            n_prompt_tokens: tokens,
            n_ctx: CONTEXT,
          },
        },
        400,
      ),
    ),
  ),
  long(
    'Mistral',
    '"too large for model with"',
    9,
    full((tokens) =>
      json(
        {
          object: 'error',
          message: `Prompt contains ${tokens} tokens and 0 draft tokens, too large for model with ${CONTEXT} maximum context length`,
          type: 'invalid_request_invalid_args',
          code: '3051',
        },
        400,
      ),
    ),
  ),
  long(
    'Groq, OpenAI',
    'no number at all',
    9,
    full(() =>
      refuses('Please reduce the length of the messages or completion.', {
        param: 'messages',
        code: 'context_length_exceeded',
      }),
    ),
  ),
  long(
    'LM Studio',
    'inside of a stream',
    9,
    full(() =>
      events({
        error: {
          message: 'The number of tokens to keep from the initial prompt is greater than the context length.',
        },
      }),
    ),
  ),
  long(
    'nginx and other proxies',
    '413 with a page',
    9,
    full(() => ({
      status: 413,
      headers: { 'content-type': 'text/html' },
      pieces: ['<h1>413 Request Entity Too Large</h1>'],
    })),
  ),
  long(
    'llama.cpp, older',
    'with the status 500',
    9,
    full(() =>
      json(
        {
          error: {
            code: 500,
            message:
              'the request exceeds the available context size. try increasing the context size or enable context shift',
            type: 'server_error',
          },
        },
        500,
      ),
    ),
  ),
  {
    servers: 'vLLM, Anthropic',
    does: 'refuses an answer that has no room behind a short question',
    we: 'ask for a shorter answer',
    script: full(
      (tokens, wanted) =>
        refuses(
          `'max_tokens' or 'max_completion_tokens' is too large: ${wanted}. This model's maximum context length is 64 tokens and your request has ${tokens} input tokens (${wanted} > 64 - ${tokens}).`,
        ),
      64,
    ),
    play: async (user) => [await user.say(), await user.say()],
    gets: [{ text: 'Hello' }, { text: 'Hello' }],
    asked: 3,
  },
  {
    servers: 'all',
    does: 'refuses one message that is too long alone',
    we: 'tell the user the limit and what to do; the next message is answered',
    script: full((tokens) => refuses(`prompt is too long: ${tokens} tokens > ${CONTEXT} maximum`)),
    play: async (user) => [await user.say('hi'), await user.say('word '.repeat(800)), await user.say('hi')],
    gets: [{ text: 'Hello' }, { code: 'invalid_arg', details: { max: CONTEXT } }, { text: 'Hello' }],
    asked: 4,
  },
  {
    servers: 'all',
    does: 'refuses a list of messages of `llm.complete` that is too long',
    we: 'leave nothing out, and tell the app',
    script: full((tokens) => refuses(`prompt is too long: ${tokens} tokens > ${CONTEXT} maximum`), 8_000),
    play: (user) => user.complete('word '.repeat(8_000), 'yes', 'hi'),
    gets: { code: 'invalid_arg', details: { reason: 'too_long' } },
    asked: 2,
  },
]
